"""Records of the deployments registry, in and out: YAML that says what was deployed, and with which parameters.

The registry has numbers for epsilon, delta and rho. What is stated otherwise stands there in words, and cannot be read
back; nor can a variant that its record calls custom.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from whit.assessment import promise_name
from whit.curves import Promise
from whit.errors import InvalidInput, NotImplied, missing_extra, unknown_name
from whit.exchange.learned import Learned, OpenPoint, field_of, number_of
from whit.guarantees import ApproxDP, Guarantee, PureDP, RenyiDP, ZeroConcentratedDP
from whit.notations import DEEPEST_TOML, require_bounded, require_held, require_once
from whit.numerics import nearest_up
from whit.setting import Neighbours

VARIANTS: Mapping[str, tuple[Any, tuple[str, ...]]] = {
    "Pure DP": (PureDP, ("epsilon",)),
    "Approximate DP": (ApproxDP, ("epsilon", "delta")),
    "Zero-concentrated DP": (ZeroConcentratedDP, ("rho",)),
}
"""The variants whose parameters a record has as numbers."""

_WORDS = "State the promise yourself, from what the record says in words."
LARGEST_YAML = 300_000
"""Characters; a record has a few thousand, and the reader takes a second for 100,000."""

_LARGEST_EXPONENT = 400
"""A fraction writes out the zeros of its exponent: with nine digits there, they would fill the memory."""


def from_registry(record: Mapping[str, Any]) -> Learned:
    """What a record of the registry states.

    >>> loss = {"privacy_parameters": {"rho": 2.63}}
    >>> variant = {"variant_name": "Zero-concentrated DP"}
    >>> print(from_registry({"url_slug": "x", "deployment": {"dp_variant": variant, "privacy_loss": loss}}).promise)
    ZeroConcentratedDP(rho=2.63)
    """
    deployment = field_of(record, "deployment", "record")
    path = "record.deployment"
    variant = field_of(field_of(deployment, "dp_variant", path), "variant_name", f"{path}.dp_variant")
    if variant not in VARIANTS:
        place = f"{path}.dp_variant.variant_name"
        if variant in ("Renyi DP", "Custom"):
            raise NotImplied(place, "must be one whose parameters are numbers of the record", variant, _WORDS)
        raise unknown_name(place, variant, list(VARIANTS))
    kind, names = VARIANTS[variant]
    loss = field_of(deployment, "privacy_loss", path)
    numbers = field_of(loss, "privacy_parameters", f"{path}.privacy_loss")
    place = f"{path}.privacy_loss.privacy_parameters"
    values = {name: _number(field_of(numbers, name, place), f"{place}.{name}") for name in names}
    model = deployment.get("deployment_model", {}) or {}
    local = model.get("model_name") == "Local"
    promise = kind(**values, **({"neighbours": Neighbours.LOCAL} if local else {}))
    points = [OpenPoint.REGISTERED, *([] if loss.get("privacy_unit") else [OpenPoint.UNIT])]
    points += [] if local else [OpenPoint.NEIGHBOURS]
    points += [OpenPoint.PERIOD] if model.get("release_type") == "Many releases" else []
    return Learned(promise, f"registry record {record.get('url_slug', '')}".strip(), tuple(points))


def is_registry(value: object) -> bool:
    """Whether something is the tree of a record of the registry."""
    return isinstance(value, Mapping) and "deployment" in value and "url_slug" in value


@dataclass(frozen=True, kw_only=True)
class RegistryRecord:
    """What a record says beside the promise; the names are those of the registry.

    url_slug              the last part of the record's address
    name                  of the data product
    data_curators         who publishes it
    intended_use, description, data_product_region   in words
    data_product_type     such as "Summary statistics"
    publication_date      such as "2026-05-01"
    registry_authors      who writes the record
    privacy_unit          whose records change, such as "person"
    details               more about the parameters: what they mean for a person, for example
    notes                 such as the head of the ledger that keeps the release
    """

    url_slug: str
    name: str
    data_curators: Sequence[str]
    intended_use: str
    data_product_type: str
    data_product_region: str
    description: str
    publication_date: str
    registry_authors: Sequence[str]
    privacy_unit: str = ""
    details: str = ""
    notes: str = ""

    def tree(self, promise: Promise) -> dict[str, Any]:
        """The record of a release with this promise, as plain values: a draft of the second tier."""
        variant, numbers = _variant(promise)
        words = [] if numbers else [f"The promise is: {promise_name(promise)}."]
        details = " ".join([*words, *([self.details] if self.details else [])])
        unit = {"privacy_unit": self.privacy_unit} if self.privacy_unit else {}
        named = {"privacy_parameters": numbers} if numbers else {}
        loss = {**unit, **named, **({"privacy_parameters_details": details} if details else {})}
        basic = ("name", "intended_use", "data_product_type", "data_product_region", "description", "publication_date")
        deployment: dict[str, Any] = {
            "basic": {**{each: getattr(self, each) for each in basic}, "data_curators": list(self.data_curators)},
            "dp_variant": {"variant_name": variant},
            "privacy_loss": loss,
        }
        if isinstance(promise, Guarantee) and promise.neighbours is Neighbours.LOCAL:
            deployment["deployment_model"] = {"model_name": "Local"}
        notes = {"notes": self.notes} if self.notes else {}
        deployment["administrative"] = {**notes, "registry_authors": list(self.registry_authors)}
        return {"url_slug": self.url_slug, "status": "Draft", "tier": 2, "deployment": deployment}

    def yaml(self, promise: Promise) -> str:
        """The same as the text of a file."""
        written: str = _yaml().safe_dump(self.tree(promise), sort_keys=False, allow_unicode=True, width=100)
        return written


def tree_of_yaml(text: str, name: str) -> object:
    """The plain values of a YAML text; tags that would build objects are refused, and so are names for values.

    Such names (anchors) let a few lines stand for a tree that no memory holds.
    """
    if len(text) > LARGEST_YAML:
        rule = f"must be YAML of at most {LARGEST_YAML:,} characters"
        raise InvalidInput("the file", rule, name, "Keep the record alone, or write it as JSON.")
    yaml = _yaml()
    way_out = "Write plain values: no tags, no anchors, and dates in quotes."
    try:
        named = _has_names(yaml, text, name)
        tree = None if named else yaml.load(text, Loader=_loader(yaml, name))
        require_bounded(tree, name, deepest=DEEPEST_TOML)
    except InvalidInput:
        raise
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InvalidInput("the file", "must be YAML of plain values", name, way_out) from error
    if named:
        raise InvalidInput("the file", "must be YAML of plain values, each written out", name, way_out)
    return tree


def _has_names(yaml: Any, text: str, name: str) -> bool:
    """Whether a value has a name by which it stands elsewhere; a text that is too deep is left where it becomes so."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST_TOML:
            raise InvalidInput(name, f"must be nested at most {DEEPEST_TOML} deep", "deeper", "Flatten it.")
        if isinstance(event, yaml.AliasEvent):
            return True
    return False


def _loader(yaml: Any, name: str) -> Any:
    """The loader of plain values that takes no key twice, and no number for 0 or infinite that is neither."""

    class Loader(yaml.SafeLoader):  # type: ignore[misc]
        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            found: dict[Any, Any] = super().construct_mapping(node, deep=deep)
            require_once(found, [self.construct_object(key, deep=True) for key, _ in node.value], name)
            return found

        def construct_yaml_float(self, node: Any) -> float:
            found: float = super().construct_yaml_float(node)
            require_held(node.value, found, name)
            return found

    Loader.add_constructor("tag:yaml.org,2002:float", Loader.construct_yaml_float)
    return Loader


def _yaml() -> Any:
    try:
        import yaml
    except ImportError as error:
        raise missing_extra("PyYAML", "exchange", purpose="for records of the registry") from error
    return yaml


def _variant(promise: Promise) -> tuple[str, dict[str, float]]:
    for variant, (kind, names) in VARIANTS.items():
        if type(promise) is kind:
            stated = promise.stated_under()
            return variant, {name: float(stated[name]) for name in names}
    return ("Renyi DP" if isinstance(promise, RenyiDP) else "Custom"), {}


def _number(value: object, path: str) -> float:
    """A number of a record; a text of one is rounded up."""
    if not isinstance(value, str):
        return number_of(value, path)
    try:
        exact = Decimal(value.strip())
        if exact.is_finite() and abs(exact.adjusted()) > _LARGEST_EXPONENT:
            raise OverflowError
        return number_of(nearest_up(Fraction(exact)), path)
    except (ArithmeticError, ValueError) as wrong:
        raise InvalidInput(path, "must be a number", value, "Write it as 1e-6.") from wrong
