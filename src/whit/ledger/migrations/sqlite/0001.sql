-- Events are the truth; all else is rebuilt from them by a replay.
CREATE TABLE event (
    number INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    line TEXT NOT NULL
) STRICT;
CREATE TRIGGER event_is_not_updated BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;
CREATE TRIGGER event_is_not_deleted BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'an event is never deleted'); END;
-- Which request made which event: the same request again gets the same answer.
CREATE TABLE request (
    key TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    number INTEGER NOT NULL REFERENCES event (number)
) STRICT;
CREATE TRIGGER request_is_not_updated BEFORE UPDATE ON request BEGIN SELECT RAISE(ABORT, 'a request is never changed'); END;
CREATE TRIGGER request_is_not_deleted BEFORE DELETE ON request BEGIN SELECT RAISE(ABORT, 'a request is never deleted'); END;
CREATE TABLE shelf (
    place TEXT PRIMARY KEY,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE listing (
    account TEXT NOT NULL,
    number INTEGER NOT NULL,
    weight REAL NOT NULL,
    PRIMARY KEY (account, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX heaviest ON listing (account, weight DESC);
CREATE TABLE migration (
    number INTEGER PRIMARY KEY,
    digest TEXT NOT NULL
) STRICT;
