"""The decision sheet: one page, the verdict by word, sign and colour, and changes that do what the sheet says."""

from __future__ import annotations

import datetime
import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from set_pages import empty_below, set_pages

from whit.guarantees import PureDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, compose
from whit.policy import check, limits, scaled
from whit.semantics.membership import PosteriorFrom, releases_until
from whit.setting import Knowledge
from whit.spec import Draft, check_series, parsed, raised_of, read_release, release_of, together_of
from whit.telling.reports import document_of
from whit.telling.reports.cases import answer_release
from whit.telling.reports.colours import COLOURS, DARK_TEXT, TEXT
from whit.telling.reports.document import Table
from whit.telling.reports.facts import protected
from whit.telling.reports.formats import _for_pages, as_html, as_markdown, as_pdf
from whit.telling.reports.hazards import HAZARDS, KEYS
from whit.telling.reports.instead import changes as instead
from whit.telling.reports.main_part import summary, words_section
from whit.telling.reports.sentences import OUTCOMES, SIGNS, in_words, why
from whit.telling.reports.sheet import open_points, sheet
from whit.telling.reports.wording import words_of
from whit.theory import Direction, Finding

DATE = datetime.date(2026, 1, 31)
DEMO = Path(__file__).parents[3] / "demo" / "release.toml"
FILE = """\
[release]
name = "Visits"
publisher = "Agency"

[unit]
name = "person"

[promise]
PROMISE

[[adversary]]
name = "an employer"
fact = "an applicant was there"
prior = 0.1
"""
POSTERIOR = "\n[limit.posterior]\nlimit = 0.3\nprior = 0.1\n"
POWER = "\n[limit.power]\nlimit = 0.75\nlevel = 0.05\n"


def asked(promise: str, more: str = POSTERIOR):
    return release_of(parsed(FILE.replace("PROMISE", promise) + more, "release.toml"))


def page(promise: str, more: str = POSTERIOR):
    return sheet(answer_release(asked(promise, more)))


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page(?![a-zA-Z])", pdf))


def changes(found) -> dict[str, tuple[str, str]]:
    return {row[0]: (row[1], row[-1]) for row in found.beside[1].blocks[0].rows}


NOT_SHOWN = ("rho = 0.1", "\n[limit.difference]\nlimit = 0.2\n\n[questions]\nfailure = 0\n")
"""A promise that bounds no belief without exception: nothing is shown about a limit on beliefs."""


@pytest.fixture(scope="module")
def stamps():
    work = answer_release(asked("epsilon = 0.5", ""))
    return {
        "allowed": page("epsilon = 0.5").stamp,
        "not_allowed": page("epsilon = 2\nreleases = 5").stamp,
        "not_shown": page(*NOT_SHOWN).stamp,
        "no_limit": sheet(work).stamp,
    }


def test_the_verdict_differs_by_word_by_sign_and_by_colour(stamps):
    assert {key: each.outcome for key, each in stamps.items()} == {key: key for key in stamps}
    assert [each.word for each in stamps.values()] == ["Allowed", "Not allowed", "Not shown", "No limit stated"]
    assert len({each.sign for each in stamps.values()}) == len(stamps)
    assert {each.sign for each in stamps.values()} == set(SIGNS.values())
    assert len({(look.line, look.fill) for look in COLOURS.values()}) == len(COLOURS) == len(stamps)


@pytest.mark.parametrize("outcome", list(COLOURS))
def test_every_format_shows_word_and_sign_and_colour(outcome, stamps):
    release = {"allowed": ("epsilon = 0.5", POSTERIOR), "no_limit": ("epsilon = 0.5", ""), "not_shown": NOT_SHOWN}
    document = document_of(asked(*release.get(outcome, ("epsilon = 2", POSTERIOR))), date=DATE, sheet=True)
    found = document.sheet.stamp
    assert found.outcome == outcome
    told = as_html(document)
    assert f'class="stamp {outcome}"' in told
    assert f"border-color: {COLOURS[outcome].line}" in told
    assert f">{found.sign}</span>" in told
    assert f">{found.word}</strong>" in told
    assert f"> **{found.sign} {found.word}.** " in as_markdown(document, "s")[0]
    assert pages(as_pdf(document)) == 1


def luminance(colour: str) -> float:
    """As WCAG 2 has it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", COLOURS.values(), ids=COLOURS)
def test_text_and_sign_stand_out_from_the_box(look):
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast(TEXT, look.fill) >= 7
    assert contrast(look.line, look.fill) >= 4.5


def test_pages_in_dark_and_in_light_have_contrast():
    told = as_html(document_of(asked("epsilon = 0.5"), date=DATE, sheet=True))
    roots = re.findall(r":root \{([^}]*)\}", told)
    assert len(roots) == 2
    for root in roots:
        look = dict(re.findall(r"--(\w+): (#[0-9a-f]+)", root))
        full = {name: "#" + "".join(2 * x for x in v[1:]) if len(v) == 4 else v for name, v in look.items()}
        for name in ("text", "quiet", "link"):
            assert contrast(full[name], full["page"]) >= 4.5, name
            assert contrast(full[name], full["code"]) >= 4.5, name


def test_a_picture_is_no_white_card_on_a_dark_page():
    told = as_html(document_of(asked("epsilon = 0.5"), date=DATE, sheet=True))
    [rule] = re.findall(r"prefers-color-scheme: dark\) \{ figure ([^\n]*)", told)
    assert "background: #1a1a1a" in rule
    assert "invert(.9)" in rule  # white becomes the background, black letters become #e6e6e6
    assert contrast("#e6e6e6", "#1a1a1a") >= 7


def test_the_picture_has_a_text_that_stands_for_it_in_every_format():
    document = document_of(asked("epsilon = 0.5"), date=DATE, sheet=True)
    [picture] = document.sheet.figure
    assert "from 10 % to at most" in picture.alt
    assert as_html(document).count('alt="Line chart') == 1
    assert as_markdown(document, "s")[0].count("![Line chart") == 1


def test_a_smaller_parameter_on_the_sheet_is_the_recommended_one_and_within_every_limit():
    to, verdict = changes(page("epsilon = 2\nreleases = 5"))["Lower epsilon"]
    assert verdict == "✓ Allowed"
    found = float(re.fullmatch("from 2 to at most ([0-9.]+) in each of 5 releases", to)[1])
    # From 10 % to 30 % is a factor of 27/7 in the odds; five releases share its logarithm.
    assert found == pytest.approx(0.26998, abs=1e-4)
    assert check(PureDP(found), limits.posterior(0.3, prior=0.1), releases=5).kept
    assert not check(PureDP(found + 1e-4), limits.posterior(0.3, prior=0.1), releases=5).kept


def test_of_several_limits_the_strictest_parameter_is_on_the_sheet():
    both = "\n[[limit]]\nposterior = 0.3\nprior = 0.1\n[[limit]]\nratio = 1.2\n"
    to, _ = changes(page("epsilon = 2", both))["Lower epsilon"]
    found = float(to.split()[-1])
    wanted = [limits.posterior(0.3, prior=0.1), limits.ratio(1.2)]
    assert check(PureDP(found), wanted).kept
    assert not check(PureDP(found * 1.01), wanted).kept


def test_fewer_releases_on_the_sheet_are_those_that_releases_until_finds():
    to, verdict = changes(page("rho = 0.02\nreleases = 30", POSTERIOR + "\n[questions]\nfailure = 0.01\n"))[
        "Publish fewer releases"
    ]
    until = releases_until(ZeroConcentratedDP(0.02), PosteriorFrom(0.1), 0.3, failure=0.01, knows=Knowledge.ANY_BELIEF)
    assert to == f"{int(float(until))} instead of 30"
    assert verdict == "✓ Allowed"


def test_where_not_even_one_release_is_within_the_limit_the_sheet_says_so():
    assert changes(page("epsilon = 2\nreleases = 5"))["Publish fewer releases"] == (
        "not even one of 5 is within every limit",
        "✗ Not allowed",
    )


def test_asking_for_the_noise_is_worth_it_where_policy_says_so():
    found = changes(page("rho = 2.56", POWER + "\n[questions]\nfailure = 0.01\n"))[
        "If a release is one count that a person changes by one: ask for the noise"
    ]
    # Gaussian noise with rho = 1 / (2 sigma^2): its best test at 5 % has a power below 75 %, the promise alone not.
    assert found == ("if it is Gaussian noise, sigma = 0.441942", "✓ Allowed")
    wanted = limits.power(0.75, level=0.05)
    assert check(Gaussian(0.441942), wanted).kept
    assert not check(ZeroConcentratedDP(2.56), wanted).kept


@pytest.mark.parametrize("rho", ["2.56", "2.57", "2.58"])
def test_noise_to_ask_for_spends_no_more_than_the_promise_as_it_is_printed(rho):
    found = changes(page(f"rho = {rho}", POWER + "\n[questions]\nfailure = 0.01\n"))
    to, _ = found["If a release is one count that a person changes by one: ask for the noise"]
    sigma = Fraction(re.fullmatch(r"if it is Gaussian noise, sigma = ([0-9.]+)", to)[1])
    assert Fraction(rho) * (1 - Fraction(1, 10**5)) <= 1 / (2 * sigma**2) <= Fraction(rho)


def test_what_is_allowed_has_its_room_and_nothing_that_is_worse():
    found = changes(page("epsilon = 0.5"))
    assert list(found) == ["Raise epsilon"]
    assert float(found["Raise epsilon"][0].split()[-1]) == pytest.approx(1.3499, abs=1e-3)


def test_noise_on_a_sample_is_reported_with_its_sigma_and_its_steps():
    text = "gaussian = 1\nsampling_rate = 0.01\nreleases = 50"
    work = answer_release(asked(text, "\n[limit.posterior]\nlimit = 0.11\nprior = 0.1\n[questions]\nfailure = 0.01\n"))
    found = sheet(work)
    to, verdict = changes(found)["Raise sigma"]
    assert re.fullmatch(r"from 1 to at least [0-9.]+ \(failure probability 1 %\) in each of 50 releases", to)
    assert verdict == "✓ Allowed"
    assert "Publish fewer releases" in changes(found)


SEVERAL = """\
[[promise]]
name = "tables"
epsilon = 1
[[promise]]
name = "model"
gaussian = 2
sampling_rate = 0.1
releases = 3
"""


def several(more: str = POSTERIOR):
    text = FILE.replace("[promise]\nPROMISE\n", SEVERAL) + more + "\n[questions]\nfailure = 0.01\n"
    return release_of(parsed(text, "release.toml"))


def test_several_promises_make_one_report_in_which_each_is_named():
    document = document_of(several(), date=DATE, appendix=True)
    said = dict(document.facts)["Promise"]
    assert said.startswith("(1) tables: epsilon = 1; (2) model: Gaussian noise, sigma = 2, on a sample at rate 0.1")
    assert "over all 4 releases together" in dict(document.facts)["Unit of protection"]
    assert as_pdf(document).startswith(b"%PDF")


def test_the_promise_to_leave_out_leaves_others_within_the_limit():
    found = sheet(answer_release(several("\n[limit.posterior]\nlimit = 0.22\nprior = 0.1\n")))
    assert found.stamp.outcome == "not_allowed"
    assert changes(found)["Leave out (1) tables"] == ("the others stay as they are", "✓ Allowed")
    rest = several("").promises[1]
    wanted = limits.posterior(0.22, prior=0.1)
    assert check(rest.one, wanted, releases=3, failure=0.01, neighbours=rest.relation).kept
    assert not check(PureDP(1.0), wanted).kept  # 10 % becomes e / (e + 9), which is 23.2 %


TWO = """\
[[promise]]
name = "yearly"
epsilon = 2
releases = 5

[[promise]]
name = "monthly"
gaussian = 10
releases = 12
"""

SAME_NOISE = """\
[[promise]]
name = "tables 1 and 2"
gaussian = 4.5
sensitivity = 1
releases = 10

[[promise]]
gaussian = 4.5
sensitivity = 2
releases = 5
"""


def test_the_parameter_of_one_of_several_promises_is_on_the_sheet_and_meets_the_limit_beside_the_others():
    text = FILE.replace("[promise]\nPROMISE\n", TWO) + POSTERIOR + "\n[questions]\nfailure = 0.01\n"
    work = answer_release(release_of(parsed(text, "release.toml")))
    to, verdict = changes(sheet(work))["Lower epsilon of (1) yearly"]
    number = re.fullmatch(r"from 2 to at most (\S+) \(failure probability 1 %\) in each of 5 releases", plain(to))[1]
    assert verdict == "✓ Allowed"
    assert not any("(2) monthly" in each and "Raise" in each for each in changes(sheet(work)))  # none would do
    wanted, monthly = limits.posterior(0.3, prior=0.1), Gaussian(10.0).times(12)
    assert check(compose(PureDP(float(number)).times(5), monthly), wanted, failure=0.01).kept
    assert not check(compose(PureDP(float(number) * 1.01).times(5), monthly), wanted, failure=0.01).kept
    said = [plain(each) for each in summary(work).parts[0].blocks[0].items]
    assert said[0].startswith("The release may exceed this limit: ")
    assert said[1].startswith("One way to meet every limit: Raise the noise of all by one factor, epsilon at most ")
    assert said[2].startswith("One way to meet every limit: Lower epsilon of (1) yearly, from 2 to at most ")


@pytest.mark.parametrize(
    ("code", "change"),
    [("en", "Leave out (1) epsilon = 2"), ("de", "(1) epsilon = 2 weglassen"), ("fr", "Omettre (1) epsilon = 2")],
)
def test_a_promise_without_a_name_is_left_out_by_its_words_and_not_taken_for_a_change_to_it(code, change):
    text = FILE.replace("[promise]\nPROMISE", "[[promise]]\nepsilon = 2\n\n[[promise]]\nepsilon = 0.1\n") + POSTERIOR
    found = sheet(answer_release(release_of(parsed(text, "release.toml")), language=code))
    assert changes(found)[change][0] == words_of(code)("sheet.without_rest")


def test_a_wrong_key_beside_noise_on_a_sample_is_not_taken_for_another_noise():
    asked("gaussian = 1\nsampling_rate = 0.01", POSTERIOR + "[questions]\nfailure = 0.01\n")
    with pytest.raises(Exception, match="smpling_rate is not known here") as refused:
        asked("gaussian = 1\nsmpling_rate = 0.01")
    assert "laplace" not in str(refused.value)


def test_the_named_adversary_is_told_with_fact_number_of_releases_and_exception():
    work = answer_release(asked("gaussian = 10\nreleases = 4", POSTERIOR + "\n[questions]\nfailure = 0.01\n"))
    [said] = [each.text for each in sheet(work).beside[0].blocks]
    top = words_of("en").top_alone(work.cases[0].assessment.posterior.bound)
    assert said == (
        f"An employer asks whether an applicant was there. From a prior of 10 %, the posterior is at most {top} after "
        "all 4 releases, except with probability 1 %. The adversary may believe anything about the other people, "
        "as long as it does not depend on this person."
    )


def test_what_is_open_is_what_the_file_does_not_say():
    bare = " ".join(open_points(answer_release(asked("epsilon = 0.5"))))
    unanswered = [each for each in HAZARDS if each.key not in ("parameters-stated", "unit")]
    assert f"Not answered: {len(unanswered)} of {len(HAZARDS)} questions" in bare
    assert f"“{unanswered[0].title}”" in bare
    for said in ("what is published without noise", "who will see the release", "a period", "which noise is added"):
        assert f"Not stated: {said}" in bare
    keys = "\n".join(f'{each.key} = "yes"' for each in HAZARDS)
    full = FILE.replace('publisher = "Agency"', 'publisher = "Agency"\nreaders = "all"\nunprotected = ["the total"]')
    full = full.replace('name = "person"', 'name = "person"\nperiod = "one year"')
    text = full.replace("PROMISE", "laplace = 2") + POSTERIOR + f"\n[hazards]\n{keys}\n"
    [left] = open_points(answer_release(release_of(parsed(text, "release.toml"), hazards=KEYS)))
    assert left.startswith("The curator and the software team must check")


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_demo_is_at_most_six_pages_before_its_appendices_and_its_sheet_is_one(language):
    request = read_release(DEMO)
    assert pages(as_pdf(document_of(request, date=DATE, language=language, sheet=True))) == 1
    assert pages(as_pdf(document_of(request, date=DATE, language=language))) <= 6
    assert pages(as_pdf(document_of(request, date=DATE, language=language, appendix=True))) > 6


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_a_picture_that_does_not_fit_leaves_no_gap_on_its_page(language):
    """Page 2 of the demo had 53 millimetres of nothing below its last line; the next paragraphs fill it."""
    found = set_pages(document_of(read_release(DEMO), date=DATE, language=language))
    assert max(map(empty_below, found[:-1])) < 25.0


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_last_page_of_the_demo_has_room_to_spare(language):
    """A line or two more, as another date or version brings, is no seventh page."""
    found = set_pages(document_of(read_release(DEMO), date=DATE, language=language))
    assert len(found) == 6
    assert empty_below(found[-1]) > 12.0


def test_an_empty_part_of_a_page_is_found():
    assert empty_below(set_pages(document_of(read_release(DEMO), date=DATE))[-1]) > 25.0


def test_the_sheet_is_one_page_whatever_somebody_writes():
    long = ("Statistics on the use of services by households and persons " * 200)[:9_000]
    text = FILE.replace("Visits", long).replace("Agency", long).replace("an employer", long)
    text = text.replace("an applicant was there", long).replace('"person"', f'"{long}"\nperiod = "{long}"')
    more = "".join(f"[[limit]]\nratio = {ratio}\nprior = 0.1\n" for ratio in (1.1, 1.2, 1.3, 1.4, 1.5, 1.6))
    request = release_of(parsed(text.replace("PROMISE", "epsilon = 3") + more, "release.toml"))
    assert pages(as_pdf(document_of(request, date=DATE, sheet=True))) == 1


def test_figures_stand_in_the_section_that_they_belong_to(tmp_path):
    template = (Path(document_of.__code__.co_filename).parent / "templates" / "report.typ").read_text("utf-8")
    assert "placement" not in template


def test_what_is_ruled_out_by_nothing_is_said_and_so_is_what_to_ask():
    found = page("gaussian = 0.1\nreleases = 3", POSTERIOR + "\n[questions]\nfailure = 0\n")
    assert "at most 100 %" not in found.stamp.text or "Nothing is ruled out" in found.stamp.text
    assert "nothing is ruled out" in found.beside[0].blocks[-1].text


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_a_finite_loss_makes_nobody_certain_on_the_sheet_either(language):
    """At a loss of 60 the posterior is below 1 by 8e-26, and every double that bounds it is 1."""
    words = words_of(language)
    found = sheet(answer_release(asked("epsilon = 60", POSTERIOR + POWER), language=language))
    text = repr((found.stamp, found.beside, found.below, [each.alt for each in found.figure]))
    nearly, certain = (repr(words.percent(each)).strip("'") for each in (0.999, 1.0))
    assert words("beside.nothing") not in text
    assert nearly in text
    assert certain not in text


def test_the_sheet_is_in_the_document_as_json():
    document = document_of(asked("epsilon = 0.5"), date=DATE, sheet=True)
    tree = json.loads(json.dumps(document.tree()))
    assert tree["sheet"]["stamp"]["outcome"] == "allowed"
    assert tree["sections"] == []


def test_beyond_99_9_percent_no_more_digits_are_shown_and_none_are_lost_in_json():
    document = document_of(asked("epsilon = 2\nreleases = 5"), date=DATE)
    told = as_markdown(document, "s")[0].replace("\N{NO-BREAK SPACE}", " ")
    told = re.sub(r"!\[.*?\]", "", told)  # what pictures say is theirs
    assert re.findall(r"99\.9\d+ %", told) == []
    assert "at most possibly" not in told
    assert document.sheet.stamp.text == (
        "The release may exceed the limit of Agency. An employer who finds it 10 % likely could become more than "
        "99.9 % sure. The limit is 30 %. This limit covers a record that is added or removed, and no other change."
    )
    assert "the posterior can exceed 99.9 % after all 5 releases." in document.sheet.beside[0].blocks[-1].text
    [found] = [each for each in document.findings if each["question"] == "posterior"]
    assert float(Finding.from_json(json.dumps(found))) == pytest.approx(1 / (1 + 9 * 2.718281828459045**-10), rel=1e-12)


@pytest.mark.parametrize(
    ("code", "failing"),
    [
        ("en", "99.9 % sure (failure probability 1 %). "),
        ("de", "99,9 % sicher werden (Ausnahmewahrscheinlichkeit 1 %). "),
        ("fr", "99,9 % (probabilité d’échec 1 %). "),
    ],
)
def test_what_somebody_could_become_more_sure_of_is_not_said_to_have_an_exception(code, failing):
    request = asked("gaussian = 0.3", f"{POSTERIOR}\n[questions]\nfailure = 0.01\n")
    found = sheet(answer_release(request, language=code))
    assert failing in plain(found.stamp.text)
    assert failing.partition("(")[2].strip(" .") in plain(found.beside[0].blocks[-1].text)


def test_the_curator_must_check_the_sensitivity_by_its_number():
    work = answer_release(asked("gaussian = 10\nsensitivity = 3", f"{POSTERIOR}\n[questions]\nfailure = 0.01\n"))
    said = "One record changes the exact answer by at most 3."
    assert any(said in each and "curator" in each for each in open_points(work, alone=True))
    told = as_markdown(document_of(work.request, date=DATE), "s")[0]
    assert f"\n| {said} | the curator | " in told


def test_each_of_several_promises_is_named_beside_what_the_curator_must_check_of_it():
    promises = FILE.replace("[promise]\nPROMISE\n", SAME_NOISE) + f"{POSTERIOR}\n[questions]\nfailure = 0.01\n"
    work = answer_release(release_of(parsed(promises, "release.toml")))
    said = (
        "Tables 1 and 2: One record changes the exact answer by at most 1.",
        "Promise 2: One record changes the exact answer by at most 2.",
    )
    assert work.changes == said
    [table] = next(part for part in words_section(work).parts if part.title == work.words("words.hold")).blocks
    assert {*said} <= {row[0] for row in table.rows}


@pytest.mark.parametrize(("code", "said"), [("en", "check 7 assumptions"), ("de", "müssen 7 Annahmen prüfen")])
def test_as_many_assumptions_are_counted_as_the_table_has_rows_for(code, said):
    promises = FILE.replace("[promise]\nPROMISE\n", SAME_NOISE) + f"{POSTERIOR}\n[questions]\nfailure = 0.01\n"
    work = answer_release(release_of(parsed(promises, "release.toml")), language=code)
    [table] = next(part for part in words_section(work).parts if part.title == work.words("words.hold")).blocks
    who = [work.words(f"who_checks.{each}") for each in ("curator", "software")]
    assert sum(row[1] in who for row in table.rows) == 7
    assert said in " ".join(open_points(work))


def test_the_assumption_about_neighbours_names_the_stated_relation_alone():
    for stated, said, other in (("add_remove", "added or removed", "replaced"), ("replace", "replaced", "removed")):
        work = answer_release(asked(f'epsilon = 0.5\nneighbours = "{stated}"'))
        [sentence] = [each for each in open_points(work, alone=True) if "neighbours exactly as the promise" in each]
        assert said in sentence
        assert other not in sentence


@pytest.mark.parametrize(
    ("promise", "is_said"),
    [("epsilon = 0.5", True), ("gaussian = 10", False), ('epsilon = 1\nneighbours="replace"', False)],
)
def test_a_limit_that_covers_an_added_record_alone_says_so_where_it_stands(promise, is_said):
    work = answer_release(asked(promise, f"{POSTERIOR}\n[questions]\nfailure = 0.01\n"))
    said = "This limit covers a record that is added or removed, and no other change."
    [table] = [each for each in summary(work).blocks if isinstance(each, Table) and "accepts" in each.caption]
    assert (said in sheet(work).stamp.text) == (said in table.rows[0][0]) == is_said


def test_where_noise_is_to_be_asked_for_the_counts_that_a_person_changes_are_an_open_point():
    said = "Not stated: how many counts one person changes in a release"
    assert any(said in each for each in open_points(answer_release(asked("epsilon = 2\nreleases = 5"))))
    assert not any(said in each for each in open_points(answer_release(asked("epsilon = 0.5"))))
    assert not any(said in each for each in open_points(answer_release(asked("epsilon = 0.1"))))


def test_a_unit_without_words_in_the_language_stands_in_quotation_marks():
    text = FILE.replace("PROMISE", "epsilon = 0.1")
    for unit, said in (("person", "Alles, was eine Person beiträgt"), ("boat", "Alles, was „boat“ beiträgt")):
        request = release_of(parsed(text.replace('"person"', f'"{unit}"'), "release.toml"))
        assert protected(request, words_of("de")).startswith(said)


def test_what_passes_comes_first_and_what_does_not_is_no_way_out():
    found = page("epsilon = 2\nreleases = 5").beside[1]
    assert found.title == "What could be changed"
    verdicts = [row[-1] for row in found.blocks[0].rows]
    assert verdicts == sorted(verdicts)  # the sign of what is allowed sorts before the other
    assert verdicts[0] == "✓ Allowed"
    # Neither Laplace nor Gaussian noise with this promise would do, so it is not worth asking which one it is.
    assert not any("ask for the noise" in row[0] for row in found.blocks[0].rows)
    said = " ".join(open_points(answer_release(asked("epsilon = 2\nreleases = 5"))))
    assert "which noise" not in said


def test_the_least_noise_to_ask_for_is_on_the_sheet_with_what_it_costs():
    rows = {row[0]: row[1:] for row in page("epsilon = 2\nreleases = 5").beside[1].blocks[0].rows}
    to, noise, verdict = rows["If a release is one count that a person changes by one: ask for Laplace noise"]
    # The odds may grow 27/7 times over five releases; Laplace noise of scale b has a loss of 1 / b.
    least = 5 / math.log(27 / 7)
    scale = float(re.match(r"scale at least ([0-9.]+) ", to)[1])
    said = re.fullmatch(r"standard deviation ([0-9.]+); 95 % of errors within ([0-9.]+)", noise)
    moved, error = map(float, said.groups())
    assert least <= scale <= least * (1 + 1e-4)
    assert moved == pytest.approx(math.sqrt(2) * scale, rel=1e-2)
    assert moved >= math.sqrt(2) * least
    assert error == pytest.approx(scale * math.log(20), rel=1e-2)  # an error beyond b ln 20 has the chance 1 / 20
    assert verdict == "✓ Allowed"
    assert not any("ask for Gaussian noise" in each for each in rows)  # which has no bound that always holds


def test_gaussian_noise_is_asked_for_where_a_bound_may_fail():
    more = POSTERIOR + "\n[questions]\nfailure = 0.01\n"
    of_a_count = "If a release is one count that a person changes by one"
    to, verdict = changes(page("epsilon = 2\nreleases = 5", more))[f"{of_a_count}: ask for Gaussian noise"]
    sigma = float(re.match(r"sigma at least ([0-9.]+) \(failure probability 1 %\) in each of 5 releases", to)[1])
    wanted = limits.posterior(0.3, prior=0.1)
    assert verdict == "✓ Allowed"
    assert check(Gaussian(sigma), wanted, releases=5, failure=0.01).kept
    assert not check(Gaussian(sigma * 0.98), wanted, releases=5, failure=0.01).kept


def test_a_sheet_that_stands_alone_refers_to_nothing_that_is_not_on_it():
    document = document_of(asked("epsilon = 0.5"), date=DATE, sheet=True)
    told = as_markdown(document, "s")[0]
    assert words_of("en")("words.hold") not in told
    assert "The curator must check: " in told


def test_a_room_is_said_as_how_far_a_parameter_may_go():
    more = POSTERIOR + "\n[questions]\nfailure = 0.01\n"
    assert changes(page("gaussian = 6", more))["Lower sigma"][0].startswith("may go down from 6 to ")
    assert changes(page("epsilon = 0.5"))["Raise epsilon"][0].startswith("may go up from 0.5 to ")


def test_a_board_reads_that_somebody_may_become_certain_and_not_at_most_100_percent():
    request = asked("gaussian = 6", POSTERIOR + "\n[questions]\nfailure = 0\n")
    told = as_markdown(document_of(request, date=DATE, sheet=True), "s")[0]
    assert "may become certain. The limit is" in told
    assert "at most 100" not in told


@pytest.mark.parametrize(
    ("code", "rule", "applies"),
    [
        ("en", "30 %, except with probability 1 %.", "The limit applies except with probability 1 %."),
        ("de", "30 %, außer mit Wahrscheinlichkeit 1 %.", "Die Grenze gilt, außer mit Wahrscheinlichkeit 1 %."),
        ("fr", "30 %, sauf avec une probabilité de 1 %.", "La limite vaut, sauf avec une probabilité de 1 %."),
    ],
)
def test_a_limit_is_said_with_the_failure_probability_that_it_was_asked_with(code, rule, applies):
    failing = "\n[questions]\nfailure = 0.01\n"
    for promise in ("epsilon = 0.5", "gaussian = 1"):
        said = sheet(answer_release(asked(promise, f"{POSTERIOR}{failing}"), language=code)).stamp.text
        assert rule in said.replace("\xa0", " ")
    ratio = "\n[limit.ratio]\nlimit = 3\nprior = 0.1\n"
    both = sheet(answer_release(asked("epsilon = 3", f"{ratio}{POWER}{failing}"), language=code))
    assert both.stamp.text.replace("\xa0", " ").endswith(applies)
    rows = both.below[0].blocks[0].rows  # no failure probability enters the power of a test
    assert [rule.partition(",")[2] in row[0].replace("\xa0", " ") for row in rows] == [True, False]


def test_at_the_limit_no_room_is_left():
    largest = re.search(r"to ([\d.]+)", changes(page("epsilon = 0.5"))["Raise epsilon"][0]).group(1)
    assert changes(page(f"epsilon = {largest}"))["Raise epsilon"][0] == f"no room is left: it stays at {largest}"


@pytest.mark.parametrize(
    ("code", "change", "said"),
    [
        ("en", "Lower the noise of all by one factor", "no room is left: all stay as they are"),
        ("de", "Jedes Rauschen um denselben Faktor senken", "kein Spielraum ist übrig: alle bleiben, wie sie sind"),
        ("fr", "Réduire tous les bruits d’un même facteur", "il ne reste aucune marge : tous restent tels quels"),
    ],
)
def test_at_the_limit_no_room_is_left_for_several_promises_either(code, change, said):
    questions = "\n[questions]\nfailure = 0.01\n"
    for sigma, is_full in (("11.68", True), ("11.681", False)):  # 11.68 is the least that meets the limit
        stated = SAME_NOISE.replace("4.5", sigma)
        text = FILE.replace("[promise]\nPROMISE\n", stated) + POSTERIOR + questions
        to, verdict = changes(sheet(answer_release(release_of(parsed(text, "release.toml")), language=code)))[change]
        assert (plain(to) == said) == is_full
        assert verdict.startswith("✓")


def test_the_words_of_a_draft_are_an_open_point_until_they_are_replaced():
    draft = Draft()
    said = open_points(answer_release(release_of(parsed(draft.text(), "release.toml"))))
    assert said[0].startswith(f"The file still has words of the draft: “{draft.name}”, “{draft.publisher}”.")
    named = replace(draft, name="Visits", publisher="Agency").text()
    assert not any("draft" in each for each in open_points(answer_release(release_of(parsed(named, "release.toml")))))


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", "within one year (whether it holds all 5 releases is not stated)."),
        ("de", "ein Jahr; ob er alle 5 Veröffentlichungen umfasst, ist nicht angegeben)."),
        ("fr", "il n’est pas indiqué si elle contient les 5 publications)."),
    ],
)
def test_a_period_that_may_hold_all_releases_or_each_its_own_is_an_open_point_and_no_fact(code, said):
    text = FILE.replace("PROMISE", "epsilon = 0.1\nreleases = 5").replace('"person"', '"person"\nperiod = "one year"')
    request = release_of(parsed(text, "release.toml"))
    assert protected(request, words_of(code)).endswith(said)
    if code == "en":
        points = " ".join(open_points(answer_release(request)))
        assert "Not stated: whether the period holds all 5 releases" in points


def test_the_box_names_an_adversary_only_if_the_bound_is_about_them():
    knowing = POSTERIOR.replace("prior = 0.1", 'prior = 0.1\nknows = "everyone_else"')
    assert "for somebody who knows everyone else" in page("epsilon = 0.5", knowing).stamp.text
    other = POSTERIOR.replace("prior = 0.1", "prior = 0.2")
    assert " Somebody who finds it 20 % likely could become at most " in page("epsilon = 0.5", other).stamp.text


def test_one_limit_is_said_once_and_two_are_both():
    assert [each.title for each in page("epsilon = 0.5").below] == ["Open points", "Decision"]
    found = page("epsilon = 0.5", POSTERIOR + POWER)
    assert found.below[0].title == "The release beside each limit"
    assert found.stamp.text.startswith("The release is within both limits of Agency.")


@pytest.mark.parametrize(
    ("code", "day", "scale"),
    [
        ("en", "2026-01-31", "scale"),
        ("de", "31.01.2026", "Skalenparameter"),
        ("fr", "31/01/2026", "paramètre d’échelle"),
    ],
)
def test_dates_and_parameters_are_those_of_the_language(code, day, scale):
    document = document_of(asked("laplace = 0.1"), date=DATE, sheet=True, language=code)
    told = as_markdown(document, "s")[0]
    assert f" {day} " in told
    assert scale in document.sheet.beside[1].blocks[0].rows[0][0].lower().replace(scale.lower(), scale)


def test_words_with_hyphens_are_not_cut_in_a_pdf():
    document = document_of(asked("epsilon = 0.5"), date=DATE, language="de")
    assert "\u200b" not in json.dumps(_for_pages(document), ensure_ascii=False)


def test_captions_name_what_the_picture_has_and_its_exception():
    failing = "\n[questions]\nfailure = 0.01\n"
    marked = page("gaussian = 3", POSTERIOR + failing).figure[0].caption
    assert marked.startswith("Blue line: the most that somebody can believe afterwards, except with probability 1 %")
    assert marked.endswith("Diamond: the limit. Dot: from a prior of 10 %.")
    shaded = page("epsilon = 0.5", "\n[limit.ratio]\nlimit = 3\n" + failing).figure[0].caption
    assert shaded.endswith("Shaded blue: what is allowed.")
    assert "except" not in shaded


def test_a_picture_on_a_page_has_its_caption_once():
    """The drawing had it below its title, and the page said the same below the drawing."""
    [figure] = page("gaussian = 3", POSTERIOR + "\n[questions]\nfailure = 0.01\n").figure
    drawn = re.sub(r"<desc>.*?</desc>|aria-label=\"[^\"]*\"", "", figure.svg, flags=re.DOTALL)
    assert "What an adversary may come to believe" in drawn
    assert "Blue line" not in drawn
    assert "Blue line" in figure.caption


@pytest.mark.parametrize("look", COLOURS.values(), ids=COLOURS)
def test_text_and_sign_stand_out_from_the_box_on_a_dark_screen(look):
    assert contrast(DARK_TEXT, look.dark_fill) >= 7
    assert contrast(look.dark_line, look.dark_fill) >= 4.5
    assert luminance(look.dark_fill) < 0.05


def test_a_narrow_screen_has_narrow_pictures_scrolls_tables_and_cuts_no_caption():
    told = as_html(document_of(asked("epsilon = 0.5", POSTERIOR + POWER), date=DATE))
    narrow = r'<picture><source media="screen and \(max-width: 36rem\)" srcset="data:image/svg[^"]+"><img '
    assert told.count("<img ") == len(re.findall(narrow, told)) > 0
    assert told.count("<table") == len(re.findall(r'<div class="scroll"[^>]*><table', told)) > 0
    named = re.findall(r'<td data-name="([^"]+)">', told)
    assert {"Verdict", "Largest posterior", "Signature"} <= set(
        named
    )  # each cell says its column where rows are stacked
    assert "<caption" not in told  # which would be as wide as the table, and run off the screen
    assert re.search(r'<p class="caption">[^<]+</p>\s*<div class="scroll"', told)
    dark = told[told.index("@media screen and (prefers-color-scheme: dark) {\n") :]
    assert COLOURS["allowed"].dark_fill in dark


def test_a_profile_has_a_dot_at_the_adversary_who_decides():
    """Gaussian noise, capped at 25 % or threefold: the hardest prior is where both meet, 0.25 / 3 = 8.33 %."""
    capped = "\n[profile.capped]\nrelative = 3.0\nabsolute = 0.25\n[questions]\nfailure = 0.01\n"
    [figure] = page("gaussian = 5", capped).figure
    assert "from 8.33 % to" in figure.alt
    [other] = page("gaussian = 5", "\n[profile.constant]\nrelative = 4.0\n[questions]\nfailure = 0.01\n").figure
    assert "from 0 % to" not in other.alt  # the hardest prior is close to 0, where a dot would say nothing


SAMPLED = "epsilon = 0.1\n[[promise]]\nlaplace = 50\nsampling_rate = 0.1"


def test_what_is_allowed_and_has_no_one_parameter_is_not_said_to_have_no_way_out():
    both = FILE.replace("[promise]", "[[promise]]").replace(
        "PROMISE", "epsilon = 0.1\n[[promise]]\nlaplace = 50\nsampling_rate = 0.1"
    )
    more = POSTERIOR.replace("0.3", "0.9")
    found = sheet(answer_release(release_of(parsed(both + more, "release.toml"))))
    texts = [getattr(block, "text", "") for section in found.beside for block in section.blocks]
    assert words_of("en")("sheet.not_searched") in texts


FIVE = """\
[[promise]]
name = "income"
gaussian = 8

[[promise]]
name = "births"
laplace = 5

[[promise]]
name = "schools"
discrete_gaussian = 6

[[promise]]
name = "health"
geometric = 0.2

[[promise]]
name = "survey"
epsilon = 0.3
delta = 1e-7
"""


def five(limit: float, failure: float):
    more = f"\n[limit.posterior]\nlimit = {limit}\nprior = 0.1\n[questions]\nfailure = {failure}\n"
    return release_of(parsed(FILE.replace("[promise]\nPROMISE\n", FIVE) + more, "release.toml"))


def test_a_verdict_on_leaving_out_a_promise_is_that_of_check_for_each_that_it_names():
    request = five(0.3, 1e-8)
    rows = [each for each in instead(answer_release(request)) if each.change == "Leave out one promise"]
    said = {name: each.outcome for each in rows for name in re.findall(r"\(\d\) (\w+)", each.to)}
    for own in request.promises:
        rest = together_of([each for each in request.promises if each is not own])
        checked = check_series(rest, request.requirements, request.questions)
        assert said[own.name] == OUTCOMES[checked.outcome]
    assert set(said.values()) == {"not_shown", "not_allowed"}  # the file has both


@pytest.mark.parametrize(("limit", "change"), [(0.3, "Lower"), (0.22, "Raise")])
def test_five_promises_have_the_factor_that_recommend_finds(limit, change):
    request = five(limit, 0.01)
    found = sheet(answer_release(request))
    to, said = changes(found)[f"{change} the noise of all by one factor"]
    raised = raised_of(request.promises, request.requirements, request.questions)
    assert said == "✓ Allowed"
    assert f"sigma at least {raised.promises[0].one.sigma} (income)" in to
    factor = float(raised.factor.parameter) * 0.9999
    less = [replace(each, one=scaled(each.one, factor)) for each in request.promises]
    assert not check_series(together_of(less), request.requirements, request.questions).kept  # it is next to the least
    texts = [getattr(block, "text", "") for section in found.beside for block in section.blocks]
    assert (words_of("en")("sheet.not_searched_alone") in texts) is (change == "Raise")


@pytest.mark.parametrize(
    ("code", "limit", "change"),
    [
        ("en", "0.3", "Raise the noise of all by one factor"),
        ("de", "0.3", "Jedes Rauschen um denselben Faktor erhöhen"),
        ("fr", "0.3", "Augmenter tous les bruits d’un même facteur"),
        ("en", "0.99", "Lower the noise of all by one factor"),
    ],
)
def test_the_noise_of_all_promises_is_the_first_change_of_the_sheet(code, limit, change):
    """Epsilons of bounded losses add up, so that the factor is their sum over the loss that is allowed."""
    stated = "[[promise]]\nname = 'first'\nlaplace = 1\nreleases = 3\n\n[[promise]]\nlaplace = 2\n"
    text = FILE.replace("[promise]\nPROMISE\n", stated) + POSTERIOR.replace("0.3", limit)
    found = sheet(answer_release(release_of(parsed(text, "release.toml")), language=code))
    first, (to, verdict) = next(iter(changes(found).items()))
    assert first == change
    words, factor = words_of(code), 3.5 / math.log(float(limit) / (1 - float(limit)) * 9)
    for number, name in ((factor, "first"), (2 * factor, words("sheet.promise_number", number="2"))):
        shown = words.number(number, Direction.AT_MOST, digits=5)
        assert f"{words('beside.from', number=shown)} ({name})" in plain(to)
    assert verdict.startswith("✓")


def test_a_limit_over_a_range_of_priors_is_said_as_a_range():
    found = page("epsilon = 1", "\n[limit.difference]\nlimit = 0.2\nprior = [0.3, 0.6]\n")
    assert "every prior between 30 % and 60 %" in " ".join(block.text for block in found.beside[0].blocks)
    request = asked("epsilon = 1", "\n[limit.difference]\nlimit = 0.2\nprior = [0.3, 0.6]\n")
    [(_, limit)] = request.requirements.limits
    assert "from every prior between 30 % and 60 %" in in_words(limit, words_of("en"))


KNOWS = ("any_belief", "everyone_else")
QUESTIONS = "\n[questions]\nfailure = 0.01\n"
NUMBER = r"(?:at most|may reach(?: a posterior of)?) ([0-9.]+ %)"


def release_with(promise: str, prior: float, knows: str, limit: str):
    text = FILE.replace("PROMISE", promise).replace("prior = 0.1", f'prior = {prior}\nknows = "{knows}"')
    return release_of(parsed(text + limit + QUESTIONS, "release.toml"))


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("promise", ["gaussian = 3\nreleases = 4", "gaussian = 1.5", "rho = 0.05", "laplace = 2"])
@pytest.mark.parametrize("theirs", KNOWS)
@pytest.mark.parametrize("limited", KNOWS)
@pytest.mark.parametrize("prior", [0.1, 0.35])
def test_every_number_of_the_question_that_decides_is_the_same(promise, theirs, limited, prior):
    """The box had the bound for any belief by the name of an adversary who knows everyone else."""
    limit = f'\n[limit.posterior]\nlimit = 0.4\nprior = {prior}\nknows = "{limited}"\n'
    found = sheet(answer_release(release_with(promise, prior, theirs, limit)))
    who = [plain(each.text) for each in found.beside[0].blocks]
    [number] = re.findall(NUMBER, plain(found.stamp.text))
    drawn = rf"from {prior * 100:g} % to at most ([0-9.]+ %)"
    assert re.findall(drawn, plain(found.figure[0].alt)) == [number]
    if theirs == limited:  # the adversary of the file is the one whom the limit is about
        [said] = who
        assert re.findall(NUMBER, said) == [number]
    else:
        assert "employer" not in found.stamp.text
        assert who[1].startswith("An employer asks")
    knowing = "knows the records of everyone else"
    assert (knowing in who[0], knowing in who[-1]) == (limited == KNOWS[1], theirs == KNOWS[1])
    assert ("may believe anything" in who[0]) == (limited == KNOWS[0])


@pytest.mark.parametrize(
    "limit",
    [
        "[limit.posterior]\nlimit = 0.12\nprior = 0.1",
        "[limit.ratio]\nlimit = 1.2\nprior = 0.1",
        "[limit.power]\nlimit = 0.06\nlevel = 0.05",
        "[limit.advantage]\nlimit = 0.05",
    ],
)
def test_a_refusal_has_the_number_of_check_and_its_word(limit):
    work = answer_release(asked("gaussian = 3\nreleases = 4", f"\n{limit}\n{QUESTIONS}"))
    [ruling] = work.rulings
    number = re.search(r"may reach ([0-9.]+(?: %)?)", ruling.verdict.reason)[1]
    for text in (why(ruling.verdict, ruling.series, work.words), sheet(work).stamp.text):
        assert re.search(rf"may reach (a posterior of )?{re.escape(number)}", plain(text))
        assert "at most" not in text
    row = next(block.rows[0] for block in summary(work).blocks if isinstance(block, Table))
    assert (number in [plain(cell) for cell in row]) == ("posterior" in limit or "ratio" in limit)


@pytest.mark.parametrize(
    ("language", "exceeds", "may_exceed"),
    [
        ("en", "The release exceeds the limit of", "The release may exceed the limit of"),
        ("de", "Die Veröffentlichung überschreitet die Grenze", "Die Veröffentlichung kann die Grenze überschreiten"),
        ("fr", "La publication dépasse la limite", "La publication peut dépasser la limite"),
    ],
)
def test_a_release_exceeds_a_limit_only_if_its_risk_is_known_to(language, exceeds, may_exceed):
    for knows, verb in zip(KNOWS, (may_exceed, exceeds), strict=True):
        limit = f'\n[limit.power]\nlimit = 0.1\nlevel = 0.05\nknows = "{knows}"\n'
        work = answer_release(asked("gaussian = 2", limit + QUESTIONS), language=language)
        assert plain(sheet(work).stamp.text).startswith(verb)


def test_each_change_says_what_it_costs_in_accuracy():
    """Gaussian noise: 95 % of errors are within 1.96 standard deviations."""
    rows = page("gaussian = 3\nreleases = 4", POSTERIOR + QUESTIONS).beside[1].blocks[0].rows
    raised, fewer = (plain(row[2]) for row in rows)
    assert fewer == "standard deviation 3; 95 % of errors within 5.88"
    sigma = float(re.search(r"at least ([0-9.]+)", rows[0][1])[1])
    deviation, error = map(float, re.findall(r"(?:deviation|within) ([0-9.]+)", raised))
    assert deviation == pytest.approx(sigma, rel=5e-3)
    assert error == pytest.approx(1.959964 * sigma, rel=5e-3)
    stated = page("epsilon = 2\nreleases = 5").beside[1].blocks[0].rows
    assert [row[2] for row in stated if "epsilon" in row[0]] == ["–"]  # a promise does not say which noise


@pytest.mark.parametrize(
    ("neighbours", "said"),
    [("replace", "Whether somebody has a record at all"), ("local", "Whether somebody reports at all")],
)
def test_presence_is_an_open_point_where_no_record_comes_or_goes(neighbours, said):
    points = open_points(answer_release(asked(f'epsilon = 0.1\nneighbours = "{neighbours}"')))
    assert f"{said} is not covered." in " ".join(points)
    assert "at all is not covered" not in " ".join(open_points(answer_release(asked("epsilon = 0.1"))))
