"""The file with the roles of people and with tokens.

    [people]
    ada = ["requester"]
    grace = ["approver", "auditor"]
    "*" = ["reader"]                 # whoever else the proxy names

    [[token]]                        # as `whit web token` adds it
    person = "ada"
    sha256 = "..."
    roles = ["reader"]
    expires = 2027-01-31T00:00:00Z

It is read again when it changes, so a token is taken back by deleting its lines. A token is good for those of its roles
that its person still has there; "*" gives a token nothing, as no proxy vouches for whoever shows it. A program of its
own is named as a person. A file that cannot be read lets nobody in.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from whit.apps.web.access.who import Identity, Role
from whit.errors import InvalidInput, Unavailable, unknown_name
from whit.files import content_of, reason_of, sources_spared, written
from whit.notations import from_toml

EVERYBODY = "*"
"""The name that stands for whoever is not listed."""

LONGEST = 366
"""The most days for which a token is good."""

FILE = "the file of people"
"""What messages call it."""

_HASH = re.compile("[0-9a-f]{64}")
_BARE = re.compile("[A-Za-z0-9_-]+")  # a key that TOML takes without quotes
_WAY_OUT = 'Write tables as in: [people] and ada = ["requester"].'


@dataclass(frozen=True)
class Token:
    """A token of somebody.

    Attributes:
        person: whose token it is; it may do nothing that they may not do.
        sha256: the hash of the token.
        roles: what it is good for.
        expires: until when.
    """

    person: str
    sha256: str
    roles: frozenset[Role]
    expires: datetime


class People:
    """Who may do what, by a file that may change."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._stamp: tuple[int, int] | None = None
        self._roles: dict[str, frozenset[Role]] = {}
        self._tokens: tuple[Token, ...] = ()

    def named(self, name: str) -> Identity:
        """Somebody whom a proxy names, with their roles: none if nobody gave them one."""
        self.read()
        return Identity(name, self._roles.get(name, self._roles.get(EVERYBODY, frozenset())))

    def bearing(self, text: str) -> Identity | None:
        """Whose token this is, with what it is good for now; None if that is nothing, it is not known, or too old."""
        self.read()
        asked = hash_of(text)
        for token in self._tokens:
            if hmac.compare_digest(token.sha256, asked) and datetime.now(UTC) < token.expires:
                left = _with_reading(token.roles) & given_to(token.person, self._roles)
                return Identity(token.person, left, is_program=True) if left else None
        return None

    def read(self) -> None:
        """Read the file if it is another one than before."""
        if self._path is None:
            return
        try:
            status = self._path.stat()
            if (stamp := (status.st_mtime_ns, status.st_size)) == self._stamp:
                return
        except (OSError, ValueError) as wrong:
            raise _unreadable(self._path, wrong) from wrong
        tree = _tree_of(_text_at(self._path), self._path)
        self._roles, self._tokens = roles_in(tree), tokens_in(tree)
        self._stamp = stamp


def _text_at(path: Path) -> str:
    """What is in a file of people, which must be an ordinary one: nobody waits for a pipe."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise OSError(0, "it is no ordinary file")
        return content_of(path).decode("utf-8-sig")
    except (OSError, ValueError) as wrong:
        raise _unreadable(path, wrong) from wrong


def _tree_of(text: str, path: Path) -> dict[str, Any]:
    """What a file of people says."""
    try:
        return from_toml(text, FILE)
    except InvalidInput:
        raise
    except (ValueError, RecursionError) as wrong:
        raise Unavailable(FILE, "must be a TOML file that can be read", path.name, _WAY_OUT) from wrong


def _unreadable(path: Path, wrong: OSError | ValueError) -> Unavailable:
    why = "it is not in UTF-8" if isinstance(wrong, UnicodeError) else reason_of(wrong)
    return Unavailable(FILE, f"must be a TOML file that can be read ({why})", path.name, _WAY_OUT)


def roles_in(tree: dict[str, Any]) -> dict[str, frozenset[Role]]:
    """The roles of people in what a file says."""
    unknown = set(tree) - {"people", "token"}
    people = tree.get("people", {})
    if unknown or not isinstance(people, dict):
        raise InvalidInput(FILE, "must have [people] and [[token]] alone", sorted(tree), _WAY_OUT)
    return {name: roles_of(words) for name, words in people.items()}


def tokens_in(tree: dict[str, Any]) -> tuple[Token, ...]:
    """The tokens in what a file says."""
    found = tree.get("token", [])
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        rule = "must have tables"
        raise InvalidInput("token in the file of people", rule, found, "Write [[token]] above each.")
    return tuple(map(_token, found))


def given_to(person: str, roles: Mapping[str, frozenset[Role]]) -> frozenset[Role]:
    """The roles that a file gives a person by name, and with any of them that of a reader."""
    return frozenset() if person == EVERYBODY else _with_reading(roles.get(person, frozenset()))


def _with_reading(roles: frozenset[Role]) -> frozenset[Role]:
    return roles | {Role.READER} if roles else roles


def roles_of(words: object) -> frozenset[Role]:
    """Roles by their words."""
    known = {role.value: role for role in Role}
    if isinstance(words, str) or not isinstance(words, Iterable):
        raise InvalidInput("roles", "must be a list of words", words, 'Write them as ["reader"].')
    for word in words:
        if not isinstance(word, str) or word not in known:
            raise unknown_name("a role", word, known)
    return frozenset(known[word] for word in words)


def _token(tree: dict[str, Any]) -> Token:
    try:
        expires = tree["expires"]
        if not isinstance(expires, datetime) or expires.tzinfo is None:
            raise InvalidInput("expires of a token", "must be a time with a zone", expires, "Use 2027-01-31T00:00:00Z.")
        if not _HASH.fullmatch(str(tree["sha256"])):
            rule = "must have 64 digits of 0 to 9 and a to f"
            raise InvalidInput("sha256 of a token", rule, tree["sha256"], "Let whit web token write it.")
        return Token(str(tree["person"]), str(tree["sha256"]), roles_of(tree["roles"]), expires)
    except KeyError as missing:
        rule = "must have person, sha256, roles and expires"
        raise InvalidInput("a token", rule, sorted(tree), "Let whit web token write it.") from missing


def hash_of(token: str) -> str:
    """The hash by which a token is kept: it is random and long, so one round is enough."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def add_token(path: Path, person: str, words: Iterable[str], *, days: int) -> str:
    """Make a token for somebody whom the file names, add it there, and return it; the file keeps its hash alone."""
    if not 1 <= days <= LONGEST:
        raise InvalidInput("days", f"must be from 1 to {LONGEST}", days, "Use 90, and renew it.")
    if not person.strip() or not person.isprintable():
        raise InvalidInput("the person", "must have a name on one line", person, "Use the name that the proxy sends.")
    asked = roles_of(words)
    roles = _words(asked)
    if not roles:
        raise InvalidInput("roles", "must name one or more", "none", "Use reader.")
    token = f"whit_{secrets.token_urlsafe(32)}"
    expires = (datetime.now(UTC) + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")
    said = ", ".join(f'"{role}"' for role in roles)
    table = f'person = {_quoted(person)}\nsha256 = "{hash_of(token)}"\nroles = [{said}]\nexpires = {expires}\n'
    _add(path, f"\n[[token]]\n{table}", person, asked)
    return token


def _words(roles: Iterable[Role]) -> list[str]:
    return sorted(role.value for role in roles)


def _quoted(name: str) -> str:
    """A name as TOML has it."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _require_given(person: str, asked: frozenset[Role], roles: Mapping[str, frozenset[Role]]) -> None:
    """Refuse a token for somebody who may do nothing, or for more than they may do."""
    given = given_to(person, roles)
    key = person if _BARE.fullmatch(person) else _quoted(person)
    if not given:
        way_out = (
            f"Add {key} = [{', '.join(map(_quoted, _words(asked)))}] below [people]; a program is named there too."
        )
        raise InvalidInput("the person", "must have a role by name in the file of people", person, way_out)
    if lacking := asked - given:
        also = _words(roles[person] | asked)
        way_out = f"Ask for {' or '.join(_words(given))}, or write {key} = [{', '.join(map(_quoted, also))}] there."
        rule = f"must be among those that the file of people gives {person}"
        raise InvalidInput("roles", rule, ", ".join(_words(lacking)), way_out)


def _add(path: Path, lines: str, person: str, asked: frozenset[Role]) -> None:
    """Add the lines of a token to a file of people, which stays whole; a new one would name nobody, so none is made."""
    with _alone_in(os.path.dirname(os.path.realpath(path))):
        with sources_spared():  # which forgets at its end that the file was read: it is meant to be written
            text = _text_at(path)
        tree = _tree_of(text + lines, path)
        tokens_in(tree)
        _require_given(person, asked, roles_in(tree))
        try:
            written(path, (text + lines).encode())
        except InvalidInput as wrong:
            raise wrong.renamed(FILE) from wrong


@contextmanager
def _alone_in(folder: str) -> Iterator[None]:
    """Nobody else adds a token to a file in this folder inside: of two at the same moment both are kept."""
    try:
        held = os.open(folder, os.O_RDONLY)
    except OSError:  # what is wrong with the folder is said where the file is read or written
        yield
        return
    try:
        import fcntl  # which not every system has, and nothing else needs

        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)
