-- Events are the truth; all else is rebuilt from them by a replay.
CREATE TABLE event (
    number BIGINT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    line TEXT NOT NULL
);
-- Which request made which event: the same request again gets the same answer.
CREATE TABLE request (
    key TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    number BIGINT NOT NULL REFERENCES event (number)
);
CREATE FUNCTION never_changed() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE EXCEPTION ''what is in the ledger is never changed''; END';
CREATE TRIGGER event_is_not_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();
CREATE TRIGGER request_is_not_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON request
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();
-- Places are compared by their letters, whatever the language of the server.
CREATE TABLE shelf (
    place TEXT COLLATE "C" PRIMARY KEY,
    body TEXT NOT NULL
);
CREATE TABLE listing (
    account TEXT NOT NULL,
    number BIGINT NOT NULL,
    weight DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (account, number)
);
CREATE INDEX heaviest ON listing (account, weight DESC);
CREATE TABLE migration (
    number BIGINT PRIMARY KEY,
    digest TEXT NOT NULL
);
