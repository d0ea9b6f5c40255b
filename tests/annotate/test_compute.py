"""Settings are computed once: kept on disk, by several processes, and the same either way."""

from __future__ import annotations

import json

import pytest

from whit.annotate import Cache, Computing, compute
from whit.annotate.setting import Setting, answer_of
from whit.errors import InvalidInput, Unavailable

SETTINGS = [Setting({"epsilon": 0.1 * (each % 4), "prior": 0.1}) for each in range(8)]
PLAIN = [answer_of(each) for each in SETTINGS]


def fail(setting: Setting) -> dict[str, object]:
    raise AssertionError(f"computed once more: {setting.text}")


def test_each_setting_is_computed_once(monkeypatch):
    asked = []

    def noted(setting: Setting) -> dict[str, object]:
        asked.append(setting.text)
        return answer_of(setting)

    monkeypatch.setattr(compute, "answer_of", noted)
    assert Computing().answers(SETTINGS) == PLAIN
    assert len(asked) == len(set(asked)) == 4


def test_what_was_kept_is_read_to_the_last_bit_and_not_computed_again(tmp_path, monkeypatch):
    folder = str(tmp_path / "kept")
    assert Computing(cache=folder).answers(SETTINGS) == PLAIN
    fail.__name__ = "answer_of"
    monkeypatch.setattr(compute, "answer_of", fail)
    assert Computing(cache=folder).answers(SETTINGS) == PLAIN
    with pytest.raises(AssertionError, match="computed once more"):
        Computing(cache=folder).answers([Setting({"epsilon": 0.9})])


def test_another_version_does_not_read_what_this_one_kept(tmp_path, monkeypatch):
    cache = Cache(tmp_path)
    cache.write({"a": {"posterior": 0.5}})
    assert cache.read(["a", "b"]) == {"a": {"posterior": 0.5}}
    monkeypatch.setattr("whit.annotate.cache.VERSION", "another")
    assert Cache(tmp_path).read(["a"]) == {}


def test_a_cache_that_is_no_cache_is_said_in_a_sentence(tmp_path):
    (tmp_path / "whit-annotate.sqlite").write_text("something else, and long enough to be looked at " * 50)
    with pytest.raises(Unavailable, match=r"the cache must be a file that can be read and written; got /"):
        Cache(tmp_path)


@pytest.mark.slow  # two processes load whit
def test_several_processes_give_the_same_in_the_same_order(monkeypatch):
    monkeypatch.setattr(compute, "PATIENCE", 0.0)
    assert Computing(jobs=2).answers(SETTINGS) == PLAIN
    with pytest.raises(compute.BadSetting, match="epsilon") as bad:
        Computing(jobs=2).answers([*SETTINGS, Setting({"epsilon": -1.0})])
    assert bad.value.at == 8
    assert "epsilon must be" in str(bad.value.error)


@pytest.mark.parametrize("jobs", [0, -1, 1.5])
def test_other_numbers_of_processes_are_refused(jobs):
    with pytest.raises(InvalidInput, match="jobs must be a whole number of at least 1"):
        Computing(jobs=jobs)


def test_answers_are_plain_values():
    assert json.loads(json.dumps(PLAIN)) == PLAIN
