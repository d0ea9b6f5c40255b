from __future__ import annotations

import pickle
import re

import pytest

from whit import errors
from whit.errors import (
    Incompatible,
    InvalidInput,
    MissingExtra,
    NotAllowed,
    NotImplied,
    TooCostly,
    Unavailable,
    UnknownKey,
    Unreachable,
    WhitError,
    nearest,
    require,
    shown,
    unknown_name,
)

PARTS = ("delta", "must be in [0, 1]", 1.5, "Use a value such as 1e-6.")
SENTENCE = "delta must be in [0, 1]; got 1.5. Use a value such as 1e-6."

# Every exception, with the built-in one that a caller who does not know whit would catch.
TREE = {
    InvalidInput: ValueError,
    Incompatible: ValueError,
    Unreachable: ValueError,
    NotImplied: Exception,
    TooCostly: Exception,
    UnknownKey: LookupError,
    NotAllowed: Exception,
    Unavailable: Exception,
    MissingExtra: ImportError,
}

each_exception = pytest.mark.parametrize("exception", [WhitError, *TREE], ids=lambda exception: exception.__name__)


def exceptions_defined() -> set[type]:
    return {item for item in vars(errors).values() if isinstance(item, type) and issubclass(item, Exception)}


def test_the_tree_has_no_other_branches():
    assert exceptions_defined() == {WhitError, *TREE}


@pytest.mark.parametrize(("exception", "built_in"), TREE.items(), ids=lambda item: item.__name__)
def test_each_exception_is_a_whit_error_and_its_built_in(exception, built_in):
    assert issubclass(exception, WhitError)
    assert issubclass(exception, built_in)


@pytest.mark.parametrize("exception", [NotImplied, TooCostly], ids=lambda exception: exception.__name__)
def test_a_fair_question_without_an_answer_is_not_a_value_error(exception):
    assert not issubclass(exception, ValueError | LookupError | ImportError)


def test_no_branch_catches_another():
    caught = {(one, other) for one in TREE for other in TREE if one is not other and issubclass(one, other)}
    assert caught == set()


def test_the_tree_in_the_docstring_is_the_tree():
    drawn = re.findall(r"^[├└]── (\w+) +\S.*?(?:\(also an? (\w+)\))?$", errors.__doc__, flags=re.MULTILINE)
    assert {name: built_in or "Exception" for name, built_in in drawn} == {
        exception.__name__: built_in.__name__ for exception, built_in in TREE.items()
    }


@each_exception
def test_the_message_is_name_rule_value_way_out(exception):
    assert str(exception(*PARTS)) == SENTENCE


@each_exception
def test_the_parts_can_be_read(exception):
    error = exception(*PARTS)
    assert (error.name, error.rule, error.value, error.way_out) == PARTS


@each_exception
def test_an_error_survives_the_journey_between_processes(exception):
    error = pickle.loads(pickle.dumps(exception(*PARTS)))
    assert type(error) is exception
    assert (error.name, error.rule, error.value, error.way_out) == PARTS
    assert str(error) == SENTENCE


def test_the_value_is_kept_whole_where_the_message_shortens_it():
    value = list(range(1000))
    error = InvalidInput("priors", "must be increasing", value, "Sort them.")
    assert error.value is value
    assert len(str(error)) < 150


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.5, "1.5"),
        (None, "None"),
        (float("nan"), "nan"),
        ((1, 2), "(1, 2)"),
        ("gaussian", "gaussian"),
        (b"raw", "b'raw'"),
        ("two\nlines\t and   gaps ", "two lines and gaps"),
        ("", ""),
    ],
)
def test_a_short_value_is_shown_on_one_line(value, text):
    assert shown(value) == text


def test_eighty_characters_are_shown_in_full():
    assert shown("x" * 80) == "x" * 80


@pytest.mark.parametrize("length", [81, 82, 10_000])
def test_more_than_eighty_characters_are_cut_to_eighty(length):
    assert shown("x" * length) == "x" * 77 + "..."


def test_length_is_counted_after_the_lines_are_joined():
    assert shown("x" * 40 + " \n " * 20 + "y" * 39) == "x" * 40 + " " + "y" * 39


def test_a_multi_line_repr_is_shown_on_one_line():
    class Table:
        def __repr__(self) -> str:
            return "Table(\n    rows=3,\n)"

    assert shown(Table()) == "Table( rows=3, )"


def test_require_is_silent_when_the_rule_holds():
    require(True, name="delta", rule="must be in [0, 1]", value=0.5, way_out="Use 1e-6.")
    with pytest.raises(InvalidInput, match="delta must be"):
        require(False, name="delta", rule="must be in [0, 1]", value=0.5, way_out="Use 1e-6.")


def test_require_raises_invalid_input_with_its_parts():
    name, rule, value, way_out = PARTS
    with pytest.raises(InvalidInput, match=f"^{re.escape(SENTENCE)}$") as caught:
        require(False, name=name, rule=rule, value=value, way_out=way_out)
    assert (caught.value.name, caught.value.rule, caught.value.value, caught.value.way_out) == PARTS


def test_require_takes_its_parts_by_name_only():
    with pytest.raises(TypeError, match="positional argument"):
        require(True, *PARTS)  # type: ignore[call-arg]


@each_exception
def test_all_four_parts_are_needed(exception):
    with pytest.raises(TypeError, match="way_out"):
        exception(*PARTS[:3])


@each_exception
def test_an_error_knows_the_parameter_that_it_speaks_of(exception):
    assert exception(*PARTS).parameter == "delta"
    assert exception("the posterior", *PARTS[1:]).parameter == ""
    assert exception("the posterior", *PARTS[1:], parameter="prior").parameter == "prior"


@each_exception
def test_a_suggestion_is_spelled_where_it_is_read(exception):
    error = exception("x", "is open", 1, "Ask with {failure} or more.", suggested={"failure": 1e-05})
    assert str(error) == "x is open; got 1. Ask with failure=1e-05 or more."
    assert error.sentence(lambda name, value: f"--{name} {value:g}").endswith("Ask with --failure 1e-05 or more.")


@each_exception
def test_another_name_keeps_all_the_rest(exception):
    error = exception("x", "is open", 1, "Ask with {failure}.", parameter="y", suggested={"failure": 0.5})
    placed = error.renamed("file.toml, line 3: x")
    assert str(placed) == f"file.toml, line 3: {error}"
    assert (placed.parameter, placed.suggested) == ("y", {"failure": 0.5})


@each_exception
def test_parameter_and_suggestion_survive_pickling(exception):
    error = exception("x", "is open", 1, "Ask with {failure}.", parameter="y", suggested={"failure": 0.5})
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.parameter) == (exception, str(error), "y")


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError("no")


@pytest.mark.parametrize(
    "value", [10**5000, -(10**5000), [10**5000], Unprintable(), "x" * 10**6, "\x00\x1b\x07"], ids=range(6)
)
def test_whatever_the_value_the_sentence_is_said(value):
    said = str(InvalidInput("x", "must be small", value, "Use less."))
    assert len(said) < 140
    assert said.isprintable()


def test_nearest_names_begin_alike_or_have_nearly_the_same_letters():
    assert nearest("post", ["posterior", "power", "post-processing"]) == ("posterior", "post-processing")
    assert nearest("epsilom", ["epsilon", "delta"]) == ("epsilon",)
    assert nearest("zzz", ["epsilon", "delta"]) == ()


def test_a_long_list_of_names_is_not_repeated():
    said = str(unknown_name("a key", "zzz", [f"name-{n}" for n in range(400)]))
    assert "or one of 384 others." in said


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("a theorem", "No theorem has the name nosuch. Use one."),
        ("an equation", "No equation has the name nosuch. Use one."),
        ("--question", "--question cannot be nosuch. Use one."),
        ("file.toml, line 3, [unit] covers", "file.toml, line 3, [unit] covers cannot be nosuch. Use one."),
    ],
)
def test_a_name_that_is_in_no_list_is_said_without_a_rule(what, said):
    error = unknown_name(what, "nosuch", ["one"])
    assert str(error) == str(pickle.loads(pickle.dumps(error))) == said
    assert error.rule == "must be known by its name"


def test_a_long_value_is_cut_between_words_and_its_dots_end_the_sentence():
    said = str(WhitError("the note", "is too long", "word " * 40, "Make it shorter."))
    assert said.endswith("word word... Make it shorter.")
    assert len(shown("x" * 200)) == errors.LONGEST
