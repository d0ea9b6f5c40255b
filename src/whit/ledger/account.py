"""Whom an account is about, which limits it must meet, and the totals up to which it meets them.

A population is a set of people by the name that an officer gives it, and never by a file: two extracts about the same
people share an account. An account is fixed when it is opened: its limits, its failure, its books and their shares, and
with them the largest total of each book with which each limit is kept. Every later decision compares exact totals with
these numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from whit.errors import Incompatible, InvalidInput, UnknownKey
from whit.ledger.amounts import Amount, Charges, Spent, added, amount_text, exact, nothing_of, read_fraction, within
from whit.ledger.books import Book, book_of, read_charges, read_spent
from whit.ledger.trees import fields_of, named, text_of, texts_of, whole_of
from whit.policy import limits
from whit.setting import Knowledge, Neighbours, UnitOfPrivacy
from whit.spec import limits_of, pairs

_ACCOUNT = (
    *("name", "population", "limits", "failure", "books", "most"),
    *("within", "period", "opens", "second_person"),
)
_SHARES = "Give each book a share of the failure, or leave the shares out; the book pure needs none."


@dataclass(frozen=True)
class Population:
    """The people whom accounts are about, and what is protected of each of them.

    Attributes:
        name: what the officer calls them.
        unit: what one record stands for: a person, a household, over which period.
        neighbours: which datasets a promise compares.
        parts: disjoint parts. Who is in which of them is fixed before the first release and is not protected; then a
            release about one part costs nobody in another.
    """

    name: str
    unit: UnitOfPrivacy
    neighbours: Neighbours
    parts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        named("the name of a population", self.name)
        Neighbours.checked(self.neighbours)
        for part in self.parts:
            named("the name of a part", part)
        if len(set(self.parts)) < len(self.parts):
            raise InvalidInput("the parts of a population", "must have different names", self.parts, "Rename one.")

    def to_tree(self) -> dict[str, Any]:
        """The population as a plain tree."""
        unit = {"name": self.unit.name, "period": self.unit.period}
        return {"name": self.name, "unit": unit, "neighbours": self.neighbours.name, "parts": list(self.parts)}

    @classmethod
    def of_tree(cls, tree: Mapping[str, Any]) -> Population:
        """The population of a plain tree."""
        fields_of(tree, needed=("name", "unit", "neighbours", "parts"))
        unit = fields_of(tree["unit"], needed=("name", "period"))
        neighbours = Neighbours[text_of(tree["neighbours"])]
        return cls(tree["name"], UnitOfPrivacy(**unit), neighbours, texts_of(tree["parts"]))


@dataclass(frozen=True)
class Account:
    """An account about a population: which limits it must meet, and how that is decided.

    Attributes:
        name: what the account is called, such as "patients 2026".
        population: the name of the population.
        limits: limits by how they are written, each to hold at every moment.
        failure: the chance that a limit may be broken, for one person.
        books: what adds up charges, each with its share of the failure; the first decides about limits on tests.
        most: for each limit the largest total in each book with which it is kept.
        within: the account that this one is a part of, such as that of all years; it is charged as well.
        period: what the account covers, in words.
        opens: when the next period opens, in words; empty if nobody said.
        second_person: whether every reservation needs another person than the one who asks.
    """

    name: str
    population: str
    limits: tuple[str, ...]
    failure: Fraction
    books: tuple[Book, ...]
    most: Mapping[str, Mapping[str, Amount | None]] = field(hash=False)
    within: str = ""
    period: str = ""
    opens: str = ""
    second_person: bool = False

    def book(self, word: str) -> Book:
        """The book of a word."""
        for book in self.books:
            if book.word == word:
                return book
        known = ", ".join(book.word for book in self.books)
        raise UnknownKey("a book", f"must be one of account {self.name}", word, f"Use {known}.")

    def allowed(self, limit: str) -> Mapping[str, Amount]:
        """The largest totals with which a limit is kept, by the books that may decide it."""
        return {word: most for word, most in self.most[limit].items() if most is not None}

    def keeping(self, limit: str, totals: Charges) -> str | None:
        """A book that keeps the limit with these totals; None if there is none."""
        return next((word for word, most in self.allowed(limit).items() if within(totals.get(word), most)), None)

    def measure(self, limit: str, totals: Charges) -> tuple[str, int] | None:
        """Where the used share of a limit is read: the book with least of it, and its number that shows most.

        None if no book is left.
        """
        shares = {
            word: max(
                (_share(total, most), place) for place, (total, most) in enumerate(zip(spent, allowed, strict=True))
            )
            for word, allowed in self.allowed(limit).items()
            if (spent := totals.get(word)) is not None
        }
        book = min(shares, key=lambda word: shares[word][0], default=None)
        return None if book is None else (book, shares[book][1])

    def used(self, limit: str, totals: Charges) -> Fraction | None:
        """The share of a limit that is used, by the book in which least of it is; None if no book is left."""
        measure = self.measure(limit, totals)
        return None if measure is None else self.share(limit, totals, measure)

    def share(self, limit: str, charges: Charges, measure: tuple[str, int]) -> Fraction:
        """The share of a limit that charges take in one measure, all of it where they close the book."""
        book, place = measure
        charge = charges.get(book)
        return Fraction(1) if charge is None else _share(charge[place], self.allowed(limit)[book][place])

    def allowance(self, limit: str, totals: Charges) -> str:
        """What a used share of a limit is a share of, in words: a total of the book in which it is read."""
        measure = self.measure(limit, totals)
        if measure is None:
            return "what the limit allows"
        adds = self.book(measure[0]).adds
        return f"{adds if adds.startswith('the ') else f'the {adds}'} that the limit allows"

    def deciding(self, totals: Charges) -> tuple[Book, ...]:
        """The books that still decide about a limit."""
        words = {word for limit in self.limits for word in self.allowed(limit) if totals.get(word) is not None}
        return tuple(book for book in self.books if book.word in words)

    def broken(self, totals: Charges) -> tuple[str, ...]:
        """The limits that no book keeps any more."""
        return tuple(limit for limit in self.limits if self.keeping(limit, totals) is None)

    def to_tree(self) -> dict[str, Any]:
        """The account as a plain tree without floating-point numbers."""
        books = [[book.word, str(book.share)] for book in self.books]
        most = {limit: {word: amount_text(one) for word, one in by.items()} for limit, by in self.most.items()}
        plain = {name: getattr(self, name) for name in ("name", "population", "within", "period", "opens")}
        flags = {"second_person": int(self.second_person)}
        return {
            **plain,
            **flags,
            "limits": list(self.limits),
            "failure": str(self.failure),
            "books": books,
            "most": most,
        }

    @classmethod
    def of_tree(cls, tree: Mapping[str, Any]) -> Account:
        """The account of a plain tree; whether it allows no more than its limits is asked by `require_most`."""
        fields_of(tree, needed=_ACCOUNT)
        changed: dict[str, Any] = {
            **{name: text_of(tree[name]) for name in ("within", "period", "opens")},
            "books": tuple(book_of(word, read_fraction(share)) for word, share in tree["books"]),
            "limits": texts_of(tree["limits"]),
            "failure": read_fraction(tree["failure"]),
            "most": {limit: read_charges(by) for limit, by in tree["most"].items()},
            "second_person": bool(whole_of(tree["second_person"])),
        }
        named("the population of an account", tree["population"])
        account = cls(**{**tree, **changed, "name": named("the name of an account", tree["name"])})
        _require_books(account.books, account.failure)
        if [book.word for book in account.books] != [word for word, _ in tree["books"]]:
            raise ValueError(tree["books"])
        if not account.limits or account.most.keys() != set(account.limits):
            raise ValueError(tree["limits"])
        for limit in account.limits:
            if account.most[limit].keys() != {book.word for book in deciding_on(limit, account.books)}:
                raise ValueError(tree["most"])
        return account


@dataclass(frozen=True)
class Position:
    """What an account has spent, in every book, and what each recipient got of it.

    Attributes:
        books: what is spent by book.
        recipients: what went to each recipient who was ever named, by book.
        quotas: the largest that may go to each recipient, by book.
        entries: how many releases were ever charged.
    """

    books: Mapping[str, Spent]
    recipients: Mapping[str, Mapping[str, Amount | None]] = field(default_factory=dict)
    quotas: Mapping[str, Mapping[str, Amount | None]] = field(default_factory=dict)
    entries: int = 0

    @property
    def totals(self) -> dict[str, Amount | None]:
        """The total of each book, for the person who is charged most."""
        return {word: spent.total for word, spent in self.books.items()}

    def plus(self, charges: Charges, parts: tuple[str, ...], recipient: str, entries: int = 1) -> Position:
        """This with one more release."""
        books = {word: spent.plus(charges.get(word), parts) for word, spent in self.books.items()}
        return replace(self._to(recipient, charges, +1), books=books, entries=self.entries + entries)

    def minus(self, charges: Charges, parts: tuple[str, ...], recipient: str) -> Position:
        """This without a release that was cancelled."""
        books = {word: spent.minus(charges.get(word), parts) for word, spent in self.books.items()}
        return replace(self._to(recipient, charges, -1), books=books)

    def with_quota(self, recipient: str, quota: Mapping[str, Amount | None]) -> Position:
        """This with another quota; all that the recipient ever got counts."""
        return replace(self, quotas={**self.quotas, recipient: quota})

    def _to(self, recipient: str, charges: Charges, sign: int) -> Position:
        """What each recipient has, counted from the first release on, whether there is a quota or not."""
        if not recipient:
            return self
        charged = {word: charges.get(word) for word in self.books}
        had = self.recipients.get(recipient) or {word: nothing_of(charge) for word, charge in charged.items()}
        got = {word: _shifted(had[word], charge, sign) for word, charge in charged.items()}
        return replace(self, recipients={**self.recipients, recipient: got})

    def beyond_quota(self, recipient: str) -> str | None:
        """A book in which a recipient would get more than their quota."""
        got, quota = self.recipients.get(recipient, {}), self.quotas.get(recipient, {})
        return next((word for word, most in quota.items() if word in got and not within(got[word], most)), None)

    def to_tree(self) -> dict[str, Any]:
        """The position as a plain tree of texts."""
        return {
            "books": {word: spent.to_tree() for word, spent in self.books.items()},
            "recipients": _nested_text(self.recipients),
            "quotas": _nested_text(self.quotas),
            "entries": self.entries,
        }

    @classmethod
    def of_tree(cls, tree: Mapping[str, Any]) -> Position:
        """The position of a plain tree."""
        fields_of(tree, needed=("books", "recipients", "quotas", "entries"))
        books = {word: read_spent(word, each) for word, each in tree["books"].items()}
        got = {name: read_charges(by) for name, by in tree["recipients"].items()}
        quotas = {name: read_charges(by) for name, by in tree["quotas"].items()}
        if any(by.keys() != books.keys() for by in got.values()):
            raise ValueError(tree["recipients"])
        return cls(books, got, quotas, whole_of(tree["entries"]))


def _shifted(had: Amount | None, charge: Amount | None, sign: int) -> Amount | None:
    """What a recipient has after a release, or after one is cancelled; without a charge there is no end to it."""
    if charge is None:
        return had if sign < 0 else None
    return added(had, tuple(sign * each for each in charge))


def _nested_text(tree: Mapping[str, Mapping[str, Amount | None]]) -> dict[str, dict[str, str | None]]:
    return {name: {word: amount_text(amount) for word, amount in by.items()} for name, by in tree.items()}


def _share(total: Fraction, most: Fraction) -> Fraction:
    return total / most if most else Fraction(int(total > 0))


def limit_text(limit: limits.Limit | str) -> str:
    """A limit as it is written, to hold at every moment.

    >>> limit_text(limits.posterior(0.3, prior=0.1))
    'posterior=0.3, prior=0.1, when=ever'
    """
    if isinstance(limit, str):
        found = limits_of(pairs("a limit", limit))
        if len(found) != 1:
            raise InvalidInput("a limit", "must be at one prior", limit, "State a limit for each prior.")
        limit = found[0][1]
    if isinstance(limit, limits.DifferenceLimit) and limit.between is not None:
        raise InvalidInput("a limit", "must be at one prior", limit, "State a limit for each prior.")
    usual: dict[str, object] = {"knows": Knowledge.ANY_BELIEF, "block": 1}
    said = {name: value for name, value in limit.parameters.items() if value is not None and name != "when"}
    words = [f"{name.replace('_', '-')}={_word(value)}" for name, value in said.items() if usual.get(name) != value]
    return ", ".join((*words, "when=ever") if isinstance(limit, limits.LossLimit) else words)


def limit_of(text: str) -> limits.Limit:
    """The limit of a text."""
    return limits_of(pairs("a limit", text))[0][1]


def _word(value: object) -> str:
    return value.name.lower() if isinstance(value, Knowledge) else repr(value)


def opened(
    name: str,
    population: Population,
    *,
    limits: Sequence[limits.Limit | str],
    failure: object,
    books: Mapping[str, object] | Sequence[str],
    **more: Any,
) -> Account:
    """An account with its books and the largest totals with which its limits are kept.

    Shares that are not given are equal parts of the failure among the books that need one.
    """
    whole = exact("failure", failure)
    kept = _books(books, whole)
    texts = tuple(map(limit_text, limits))
    if not texts:
        raise InvalidInput("an account", "must have a limit", name, 'Give one, such as "posterior=0.3, prior=0.1".')
    most = {text: _most(text, kept, population.neighbours) for text in texts}
    for text, by in most.items():
        if all(each is None for each in by.values()):
            rule = "must be met by a book before anything is released"
            raise Incompatible(f'the limit "{text}"', rule, "none of them meets it", "Use another book or a failure.")
    return Account(named("the name of an account", name), population.name, texts, whole, kept, most, **more)


def _books(books: Mapping[str, object] | Sequence[str], failure: Fraction) -> tuple[Book, ...]:
    """The books, with their shares."""
    if not isinstance(books, Mapping):
        chancy = [word for word in books if word != "pure"]
        equal = failure / len(chancy) if chancy else Fraction(0)
        books = {word: 0 if word == "pure" else equal for word in books}
    kept = tuple(book_of(word, share) for word, share in books.items())
    _require_books(kept, failure)
    return kept


def _require_books(kept: tuple[Book, ...], failure: Fraction) -> None:
    """Refuse a failure that is no chance, no book, one twice, and shares that are more than the failure together."""
    if not 0 <= failure < 1:
        way_out = "Use the chance that a limit may fail, such as 0.01."
        raise InvalidInput("failure", "must be below 1", failure, way_out)
    if not kept:
        raise InvalidInput("an account", "must have a book", "none", "Use zcdp, or pure and zcdp.")
    if len({book.word for book in kept}) < len(kept):
        raise InvalidInput(
            "the books of an account", "must be different", [book.word for book in kept], "Leave one out."
        )
    total = sum((book.share for book in kept), Fraction(0))
    if total > failure:
        raise Incompatible("the shares of the books", "must be at most the failure together", str(total), _SHARES)


def deciding_on(text: str, books: tuple[Book, ...]) -> tuple[Book, ...]:
    """The books that may decide a limit.

    Every book may decide about beliefs. About tests one book decides, the first: the chances of a test under several
    books add up, and are no larger than one of them only if that one decides alone.
    """
    return books if isinstance(limit_of(text), limits.LossLimit) else books[:1]


def _most(text: str, books: tuple[Book, ...], neighbours: Neighbours) -> dict[str, Amount | None]:
    """The largest totals of the books that may decide a limit."""
    limit = limit_of(text)
    return {book.word: book.most(limit, neighbours) for book in deciding_on(text, books)}


def require_most(account: Account, neighbours: Neighbours) -> None:
    """Refuse an account whose kept totals are larger than its limits allow.

    Each is asked for by itself, which costs a hundredth of finding the largest. One that is smaller is sound: an
    earlier version may have allowed less.
    """
    for text in account.limits:
        limit = limit_of(limit_text(limit_of(text)))
        if limit != limit_of(text):
            rule, way_out = "must hold at every moment", "Open an account by whit ledger open."
            raise InvalidInput(f"a limit of account {account.name}", rule, text, way_out)
        for word, most in account.allowed(text).items():
            if not account.book(word).allows(limit, most, neighbours):
                rule = f'must be at most what the limit "{text}" allows'
                value, way_out = amount_text(most), "Open a new account with this limit, and record there what is out."
                raise InvalidInput(f"the total of the book {word} in account {account.name}", rule, value, way_out)
