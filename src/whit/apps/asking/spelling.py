"""What a message of the library says, in the words of the command line: no Python, and options for parameters."""

from __future__ import annotations

import re
from enum import Enum
from typing import Any

from whit import guarantees, mechanisms, spec
from whit.assessment import Assessment, Unanswered, promise_name
from whit.curves import Promise
from whit.errors import Sentence, UnknownKey, WhitError
from whit.theory import Answer

_MEMBER = re.compile(r"\b(?:Neighbours|Knowledge|When)\.([A-Z_]+)\b")
_CLASS = re.compile(r"\b[A-Z][a-z]*[A-Z]\w*\b")
_ROWS = re.compile(r"\[(\[[\d., ]+\](?:, \[[\d., ]+\])*)\]")
_RANK = re.compile(r"\], \[")
_LIST = re.compile(r"(?<=such as )\[([\d., ]+)\]")
_EXPONENT = re.compile(r"(?<=\de[-+])0+(?=\d)")
_PARAMETER = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
_WORDS = {
    "RenyiDP": "renyi",
    "ProbabilisticDP": "probabilistic",
    "ProbabilisticallyBoundedDP": "bounded",
    "SemanticPrivacy": "beliefs",
}


def without_python(text: str) -> str:
    """A text that whit wrote, with the words of the command line in place of names in Python.

    >>> without_python("Give rows such as [[1, 0], [0.5, 1]].")
    'Give rows such as "1 0; 0.5 1".'
    >>> without_python("Pass amounts such as [0, 1, 2], and a delta of 1e-06.")
    'Pass amounts such as "0 1 2", and a delta of 1e-6.'
    >>> without_python("Use one of Neighbours.ADD_REMOVE, or ApproxDP with another total_delta.")
    'Use one of add-remove, or epsilon-delta with another --total-delta.'
    """
    if isinstance(text, spec.AsWritten):
        return text
    found = _MEMBER.sub(lambda member: member[1].lower().replace("_", "-"), text)
    listed = _ROWS.sub(lambda rows: f'"{_RANK.sub("; ", rows[1].strip("[]")).replace(",", "")}"', found)
    listed = _LIST.sub(lambda numbers: f'"{numbers[1].replace(",", "")}"', listed)
    return _PARAMETER.sub(lambda name: option_name(name[0]), without_classes(_EXPONENT.sub("", listed)))


def without_classes(text: str) -> str:
    """A text with the words of the command line in place of classes; it may have names of files and adversaries in it.

    >>> without_classes("a promise of PureDP from my_file.toml")
    'a promise of epsilon from my_file.toml'
    """
    return _CLASS.sub(lambda name: class_word(name[0]), text)


def option_name(parameter: str) -> str:
    """A parameter as an option; a word that is no parameter has hyphens too, and does not begin with them.

    >>> option_name("total_delta"), option_name("add_remove")
    ('--total-delta', 'add-remove')
    """
    spelled = parameter.replace("_", "-")
    return f"--{spelled}" if parameter in ("total_delta", *mechanisms.AROUND) else spelled


def class_word(name: str) -> str:
    """A kind of promise by its word on the command line, and other classes by their names in words.

    >>> class_word("PureDP"), class_word("SemanticPrivacy"), class_word("MixtureOfGaussians"), class_word("TOML")
    ('epsilon', 'beliefs', 'gaussian-mixture', 'TOML')
    """
    kind = getattr(guarantees, name, None) or getattr(mechanisms, name, None)
    if name in _WORDS or not isinstance(kind, type):
        return _WORDS.get(name, name)
    parameter, details = getattr(kind, "parameter", None), getattr(kind, "details", ())
    if parameter is not None:
        return str(parameter.kind)
    return str(details[0].word).replace("_", "-") if details else in_lower_words(name)


def in_lower_words(name: str) -> str:
    """The name of a class in words.

    >>> in_lower_words("SimpleRandomSample")
    'simple random sample'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def plain_number(value: object) -> object:
    """A value as somebody writes it: nothing for None, 0 for 0.0, and 1e-6 for 1e-06."""
    if value is None:
        return "nothing"
    return _EXPONENT.sub("", f"{value:g}") if isinstance(value, float) else value


def in_words(value: Any) -> Any:
    """A promise by its name, a member of an Enum by its word, and other things of whit by their kind.

    >>> from whit.guarantees import ApproxDP
    >>> from whit.setting import Neighbours
    >>> in_words(ApproxDP(1.0, 1e-6)), in_words(Neighbours.ADD_REMOVE), in_words(0.5)
    ('epsilon = 1, delta = 1e-6', 'add-remove', 0.5)
    """
    if isinstance(value, Promise):
        return _outcomes(value) if isinstance(value, mechanisms.Finite) else Sentence(promise_name(value))
    if isinstance(value, Enum):
        return value.name.lower().replace("_", "-")
    if isinstance(value, str):
        return value
    kind = value if isinstance(value, type) else type(value)
    if kind.__module__.startswith("whit.policy.") and hasattr(value, "to_dict") and kind is not value:
        return ", ".join(f"{name}={plain_number(each)}" for name, each in value.to_dict().items())
    if not kind.__module__.startswith("whit."):
        return value
    return in_lower_words(kind.__name__)


def _outcomes(promise: mechanisms.Finite) -> str:
    """A mechanism by its outcomes, as options state it."""
    return f"outcomes {' '.join(map('{:g}'.format, promise.p))} against {' '.join(map('{:g}'.format, promise.q))}"


def in_options(found: Assessment) -> Assessment:
    """The assessment with the reasons of questions without an answer as the command line says them."""
    return found.with_answers({name: answer_in_options(each) for name, each in found.unanswered.items()})


def answer_in_options(answer: Answer) -> Answer:
    """The answer; where there is none, the reason as the command line says it."""
    refusal = answer.refusal if isinstance(answer, Unanswered) else None
    return type(answer)(sentence(refusal)) if isinstance(refusal, WhitError) else answer  # type: ignore[call-arg]


def sentence(error: WhitError) -> str:
    """What an error says on a command line: suggestions as options, and things in words.

    >>> said = WhitError("the posterior", "is open", "rho 1", "Ask with {failure}.", suggested={"failure": 0.1})
    >>> print(sentence(said))
    the posterior is open; got rho 1. Ask with --failure 0.1.
    """
    name = option_name(error.name) if error.name.isidentifier() else without_classes(error.name)
    value = plain_number(in_words(error.value))
    spelled = {each: as_option(each, suggested) for each, suggested in error.suggested.items()}
    way_out = error.way_out.format_map(spelled) if spelled else error.way_out
    kind = UnknownKey if isinstance(error, UnknownKey) else WhitError
    return str(kind(name, without_python(error.rule), value, without_python(way_out)))


def as_option(name: str, value: object) -> str:
    """A suggested parameter as an option.

    >>> as_option("orders", [2, 8])
    '--orders 2,8'
    >>> as_option("columns", {"epsilon": "eps"})
    '--column epsilon=eps'
    """
    if isinstance(value, dict):  # an option for each of its items
        return " ".join(f"--{name.removesuffix('s')} {key}={each}" for key, each in value.items())
    text = ",".join(map(str, value)) if isinstance(value, list) else str(plain_number(value))
    return f"--{name.replace('_', '-')} {text}"
