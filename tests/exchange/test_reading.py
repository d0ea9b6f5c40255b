"""Files of other libraries: JSON is read, and nothing that could run code is opened."""

from __future__ import annotations

import json
import pickle

import pytest

from whit.errors import InvalidInput, Unavailable
from whit.exchange import learn, learn_from_file
from whit.mechanisms import Gaussian


@pytest.fixture
def write(tmp_path):
    def written(tree):
        path = tmp_path / "object.json"
        path.write_text(json.dumps(tree), encoding="utf-8")
        return path

    return written


def test_a_file_may_be_toml(tmp_path):
    path = tmp_path / "object.toml"
    path.write_text('class_name = "GaussianDpEvent"\nnoise_multiplier = 2.0\n', encoding="utf-8")
    assert learn_from_file(path).promise == learn({"class_name": "GaussianDpEvent", "noise_multiplier": 2.0}).promise
    path.write_text("class_name = ", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"^the file must be TOML; got object\.toml"):
        learn_from_file(path)


def test_an_event_in_a_file(write):
    found = learn_from_file(write({"class_name": "GaussianDpEvent", "noise_multiplier": 2.0}))
    assert isinstance(found.promise, Gaussian)
    assert str(found).startswith("event GaussianDpEvent: Gaussian(sigma=2.0")
    assert "does not say whose records change" in str(found)


def test_the_state_of_an_accountant_inside_a_checkpoint_that_was_written_as_json(write):
    state = {"history": [[1.0, 0.01, 10]], "mechanism": "rdp"}
    assert learn_from_file(write({"privacy_accountant_state_dict": state, "epoch": 3})).source == "Opacus accountant"


def test_a_pickled_object_is_refused_and_not_opened(tmp_path):
    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "opened"), "w"))

    path = tmp_path / "accountant.pt"
    path.write_bytes(pickle.dumps(Trap()))
    with pytest.raises(InvalidInput, match="must be JSON"):
        learn_from_file(path)
    assert not (tmp_path / "opened").exists()


def test_a_file_that_is_not_there_is_said_so(tmp_path):
    with pytest.raises(Unavailable, match="must be readable"):
        learn_from_file(tmp_path / "nowhere.json")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *((text, "must be") for text in ("[" * 100_000, "{", "", "3", "null")),
        ('{"a": 1}', "must have keys that whit knows; got a"),
        (
            '{"class_name": "GaussianDpEvent", "noise_multiplier": 1, "noise_multiplier": 9}',
            "each key once.*noise_mult",
        ),
        ('{"class_name": "LaplaceDpEvent", "noise_multiplier": 1e400}', "must have numbers that a double holds"),
        ('{"total_epsilon": 1e-400, "total_delta": 0}', "must have numbers that a double holds; got 1e-400"),
    ],
)
def test_other_files_are_refused_in_a_sentence(tmp_path, text, said):
    path = tmp_path / "object.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=said):
        learn_from_file(path)


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "model.json"
    with path.open("wb") as file:
        file.truncate(60_000_000)
    with pytest.raises(InvalidInput, match="at most 50000000 bytes"):
        learn_from_file(path)


def test_a_named_tuple_that_became_a_list_is_refused_with_what_to_write(write):
    written = ["dp_accounting.dp_event", "GaussianDpEvent", 2.0]
    with pytest.raises(InvalidInput, match=r"must have its fields by name.*write the _asdict\(\)"):
        learn_from_file(write(written))


def test_a_file_that_is_too_deep_is_refused_in_a_sentence(write):
    deep = [1.0]
    for _ in range(800):
        deep = [deep]
    with pytest.raises(InvalidInput, match="must be nested at most 500 deep"):
        learn_from_file(write({"class_name": "ComposedDpEvent", "events": deep}))
