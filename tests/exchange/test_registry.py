"""Records of the deployments registry, in and out."""

from __future__ import annotations

import copy
from itertools import pairwise
from typing import Any

import jsonschema
import pytest
import yaml
from stopwatch import at_most

from whit.errors import InvalidInput, NotImplied, UnknownKey
from whit.exchange import OpenPoint, RegistryRecord, from_registry, learn_from_file
from whit.guarantees import ApproxDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian
from whit.setting import Neighbours


def table(required: list[str], **fields: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "required": required, "properties": fields}


def one_of(*words: Any) -> dict[str, Any]:
    return {"enum": list(words)}


TEXT, NUMBER, TEXTS = (
    {"type": "string"},
    {"type": "number"},
    {"type": "array", "items": {"type": "string"}, "minItems": 1},
)
BASIC = ("name", "data_curators", "description", "intended_use", "data_product_type", "data_product_region",
         "publication_date")  # fmt: skip
PRODUCTS = (
    "Summary statistics",
    "Machine learning model",
    "Dataset",
    "Synthetic data",
    "Interactive API",
    "SQL queries",
)
# The names, the required ones and the words of schemas/deployments-schema.yaml in opendp/deployments-registry-data at
# 3e9c812a924cf01d228f26f6c462c59c391c3f2a, for what whit writes; any other field is refused, as there. That file itself
# takes every record that is written here.
SCHEMA = table(
    ["url_slug", "status", "tier", "deployment"],
    url_slug=TEXT,
    status=one_of(
        "Converted",
        "Draft",
        "Pending",
        "Changes Required",
        "Approved",
        "Approved (Update Requested)",
        "Approved (Pending)",
    ),
    tier=one_of(1, 2, 3),
    deployment=table(
        ["basic"],
        basic=table(
            list(BASIC),
            **{**dict.fromkeys(BASIC, TEXT), "data_curators": TEXTS, "data_product_type": one_of(*PRODUCTS)},
        ),
        dp_variant=table(
            [], variant_name=one_of("Pure DP", "Approximate DP", "Zero-concentrated DP", "Renyi DP", "Custom")
        ),
        privacy_loss=table(
            [],
            privacy_unit=TEXT,
            privacy_unit_details=TEXT,
            privacy_parameters=table([], epsilon=NUMBER, delta={"type": ["number", "string"]}, rho=NUMBER),
            privacy_parameters_details={},
        ),
        deployment_model=table([], model_name=one_of("Local", "Central", "Shuffle", "Federated", "Varies")),
        administrative=table(["registry_authors"], sources=TEXT, notes=TEXT, registry_authors=TEXTS),
    ),
)
RECORD = RegistryRecord(
    url_slug="visits-2026", name="Visits", data_curators=["An office"], intended_use="planning",
    data_product_type="Summary statistics", data_product_region="Austria", description="Visits by month",
    publication_date="2026-05-01", registry_authors=["Ada"], privacy_unit="person", notes="ledger head 1234",
)  # fmt: skip
PROMISES = [
    PureDP(0.3), ApproxDP(1.0, 1e-300), ZeroConcentratedDP(2.63), PureDP(2.0, neighbours=Neighbours.LOCAL),
]  # fmt: skip


@pytest.mark.parametrize("promise", [*PROMISES, RenyiDP({8.0: 1.0}), Gaussian(2.0)], ids=repr)
def test_a_record_is_one_that_the_registry_takes(promise: Any) -> None:
    written = yaml.safe_load(RECORD.yaml(promise))
    jsonschema.validate(written, SCHEMA)
    assert isinstance(written["deployment"]["basic"]["publication_date"], str)


def test_the_schema_refuses_a_field_that_it_does_not_have() -> None:
    written = yaml.safe_load(RECORD.yaml(PureDP(1.0)))
    written["deployment"]["privacy_loss"]["risk"] = 0.3
    with pytest.raises(jsonschema.ValidationError, match="'risk' was unexpected"):
        jsonschema.validate(written, SCHEMA)


@pytest.mark.parametrize("promise", PROMISES, ids=repr)
def test_what_is_written_is_read_back(promise: Any, tmp_path: Any) -> None:
    path = tmp_path / "record.yaml"
    path.write_text(RECORD.yaml(promise), encoding="utf-8")
    found = learn_from_file(path)
    assert found.promise == promise
    assert OpenPoint.REGISTERED in found.open
    assert OpenPoint.UNIT not in found.open


@pytest.mark.parametrize("promise", [RenyiDP({8.0: 1.0}), Gaussian(2.0)], ids=repr)
def test_what_has_no_number_in_the_registry_stands_there_in_words_and_is_not_read_back(promise: Any) -> None:
    tree = RECORD.tree(promise)
    assert "privacy_parameters" not in tree["deployment"]["privacy_loss"]
    assert "The promise is: " in tree["deployment"]["privacy_loss"]["privacy_parameters_details"]
    with pytest.raises(NotImplied, match=r"record\.deployment\.dp_variant\.variant_name"):
        from_registry(tree)


def changed(**paths: Any) -> dict[str, Any]:
    tree = copy.deepcopy(RECORD.tree(ApproxDP(1.0, 1e-6)))
    for path, value in paths.items():
        *inside, last = path.split("__")
        place = tree["deployment"]
        for name in inside:
            place = place.setdefault(name, {})
        place[last] = value
    return tree


def test_a_delta_in_words_is_rounded_up_and_many_releases_are_an_open_point() -> None:
    found = from_registry(
        changed(privacy_loss__privacy_parameters__delta="1e-10", deployment_model__release_type="Many releases")
    )
    assert found.promise == ApproxDP(1.0, 1e-10)
    assert OpenPoint.PERIOD in found.open


@pytest.mark.parametrize(
    ("tree", "error", "words"),
    [
        (
            changed(privacy_loss__privacy_parameters__delta="10^-10"),
            InvalidInput,
            r"parameters\.delta must be a number",
        ),
        *(
            (
                changed(privacy_loss__privacy_parameters__epsilon=far),
                InvalidInput,
                r"parameters\.epsilon must be a number",
            )
            for far in ("1e999999999", "-1e999999999", "1e-999999999", "1e99999999999999999999")
        ),
        (
            changed(privacy_loss__privacy_parameters__epsilon=None),
            InvalidInput,
            r"parameters\.epsilon must be a finite",
        ),
        (changed(privacy_loss__privacy_parameters={}), InvalidInput, r"privacy_parameters\.epsilon must be there"),
        (changed(dp_variant__variant_name="Custom"), NotImplied, "whose parameters are numbers"),
        (changed(dp_variant__variant_name="Quantum DP"), UnknownKey, "variant_name"),
        (changed(dp_variant={}), InvalidInput, r"dp_variant\.variant_name must be there"),
    ],
)
def test_what_a_record_does_not_say_is_refused_with_its_place(tree: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        from_registry(tree)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *((text, "must be") for text in ("!!python/object/apply:os.system ['true']", "a: [", "{a: 1")),
        ("a: &x [*x, *x]", "must be YAML of plain values, each written out"),
        ("a: 1\nb: {c: 1, c: 1}", "record.yaml must have each key once in a table; got c again"),
        ("yes: 1\ntrue: 2", "record.yaml must have each key once in a table; got True again"),
        ("a: 1.0e-400", "record.yaml must have numbers that a double holds; got 1.0e-400"),
        ("a: 1.0e+400", "record.yaml must have numbers that a double holds"),
        (f"a: 0x{5000 * 'f'}", "whole numbers of at most 4,300 digits"),
        (100_000 * "[", "record.yaml must be nested at most 50 deep"),
        (60_000 * "{a: ", "record.yaml must be nested at most 50 deep"),
        (100 * "- " + "a", "record.yaml must be nested at most 50 deep"),
    ],
)
def test_yaml_that_is_more_than_plain_values_is_refused(tmp_path: Any, text: str, said: str) -> None:
    path = tmp_path / "record.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=said):
        learn_from_file(path)


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x, x]\n" + "".join(f"{n}: &{n} [{', '.join(['*' + o] * 9)}]\n" for o, n in pairwise("abcdefghijk")),
        "a: &a {x: 1}\n"
        + "".join(f"{n}: &{n} {{<<: [{', '.join(['*' + o] * 9)}]}}\n" for o, n in pairwise("abcdefghi")),
        "&a [*a]",
        "&a {deployment: *a, url_slug: *a}",
    ],
    ids=["laughs", "merged", "of itself", "a record of itself"],
)
def test_a_few_lines_that_stand_for_a_huge_tree_are_refused_at_once(text, tmp_path):
    (tmp_path / "record.yaml").write_text(text)
    with at_most(seconds=2), pytest.raises(InvalidInput, match="YAML of plain values, each written out.*no anchors"):
        learn_from_file(tmp_path / "record.yaml")


def test_a_long_yaml_is_refused_before_it_is_read(tmp_path):
    (tmp_path / "record.yaml").write_text("deployment:\n" + "".join(f"  k{i}: [1, {{a: b}}]\n" for i in range(100_000)))
    with at_most(seconds=2), pytest.raises(InvalidInput, match="must be YAML of at most 300,000 characters"):
        learn_from_file(tmp_path / "record.yaml")


def test_a_yaml_that_would_run_a_command_runs_none(tmp_path):
    (tmp_path / "record.yaml").write_text(f"!!python/object/apply:os.system ['touch {tmp_path}/run']")
    with pytest.raises(InvalidInput, match="must be YAML of plain values"):
        learn_from_file(tmp_path / "record.yaml")
    assert not (tmp_path / "run").exists()
