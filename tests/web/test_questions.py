"""The pages of questions without a browser: their numbers, their errors, their files, and what they refuse."""

from __future__ import annotations

import re
import tomllib
from html import unescape

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from web_server import PLAN, fields

from whit.apps.asking import ask
from whit.apps.web.promises import KINDS as PROMISES
from whit.mechanisms import Laplace
from whit.policy import elicitation, limits, recommend
from whit.spec import plan_from_toml
from whit.theory import THEOREMS

PAGES = (
    "/explore",
    "/choose",
    "/claim?claim=epsilon%3D4",
    "/plan",
    "/report",
    "/learn",
    "/learn/assumptions",
    "/learn/glossary",
)

KINDS = {
    "epsilon": st.floats(0.01, 5),
    "rho": st.floats(0.001, 2),
    "mu": st.floats(0.01, 3),
    "gaussian": st.floats(0.3, 20),
    "laplace": st.floats(0.2, 20),
}


def text_of(answer) -> str:
    """The text of a page; numbers there do not part from their unit."""
    return unescape(answer.text).replace("\u00a0", " ")


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.data(), st.sampled_from([*KINDS]), st.sampled_from(["0.01", "0.1", "0.5"]), st.sampled_from(["", "0", "0.01"])
)
def test_a_page_its_json_and_the_interface_for_programs_say_the_same(client, data, kind, prior, failure):
    parameter = repr(data.draw(KINDS[kind]))
    asked = {"kind": kind, "parameter": parameter, "prior": prior, "failure": failure}
    values = {kind: parameter, "prior": prior, "all": "yes"} | ({"failure": failure} if failure else {})
    told = ask("assess", {**values, "all": True})
    shown = client.get("/explore", params=asked)
    assert shown.status_code == 200
    assert all(line in text_of(shown) for line in told.opening.split("\n\n"))
    assert all(cell in unescape(shown.text) for table in told.tables for row in table.rows for cell in row)
    document = told.answers.document()
    assert client.get("/explore.json", params=asked).json() == document
    assert client.get("/api/v1/assess", params=values).json()["answers"] == document["answers"]


@pytest.mark.parametrize("path", PAGES)
def test_every_page_opens_and_is_also_json(client, path):
    assert client.get(path).headers["content-type"].startswith("text/html")
    place, mark, asked = path.partition("?")
    found = client.get(f"{place}.json{mark}{asked}")
    assert found.status_code == 200
    assert found.json()


def test_a_page_of_a_claim_says_whether_the_noise_gives_the_epsilon(client):
    shown = client.get("/claim", params={"claim": "epsilon=1, laplace=2, neighbours=add-remove"})
    assert "gives an epsilon of at most 0.5 without a delta, which supports the stated epsilon of 1." in text_of(shown)


def test_the_sentence_that_the_page_of_claims_names_is_read(client):
    said = re.search(r'A sentence such as "(.*?)"', unescape(client.get("/claim").text))[1]
    shown = client.get("/claim", params={"claim": said, "prior": "0.1"})
    assert shown.status_code == 200
    assert "epsilon = 4, for one user within one day." in text_of(shown)


@pytest.mark.parametrize("claim", ["we protect your privacy", "epsilon = 4 for each release", "epsilon=x", "unit=user"])
def test_a_claim_that_cannot_be_read_is_named_beside_its_field(client, claim):
    shown = client.get("/claim", params={"claim": claim, "prior": "0.1"})
    assert shown.status_code == 422
    assert '<a href="#claim">' in shown.text


def test_the_page_of_claims_says_what_an_empty_field_means(client):
    text = client.get("/claim").text
    assert "Empty: 0 where a bound always holds, and 0.01 where none does." in text
    for claim, failure in (("epsilon=1", 0.0), ("rho=0.1", 0.01)):  # which is what the answer then has
        assert client.get("/claim.json", params={"claim": claim}).json()["asked"]["failure"] == failure


def test_a_wrong_value_is_named_beside_its_field_and_in_a_problem(client):
    asked = {"kind": "rho", "parameter": "much", "prior": "0.1"}
    page = client.get("/explore", params=asked)
    assert page.status_code == 422
    sentence = "its parameter must be a number; got much. Use a number such as 0.5 or 1e-6."
    assert f'<a href="#parameter">I{sentence[1:]}</a>' in unescape(page.text)
    problem = client.get("/explore.json", params=asked)
    assert problem.headers["content-type"] == "application/problem+json"
    assert problem.json()["detail"] == sentence
    assert problem.json()["field"] == "parameter"


NOISES = [kind for kind in PROMISES if kind != "epsilon-delta"]


@pytest.mark.parametrize("kind", NOISES)
def test_a_delta_that_would_count_for_nothing_is_refused_on_every_page(client, answers, kind):
    asked = {"kind": kind, "parameter": "2", "delta": "1e-6", "prior": "0.1", "failure": "0.01"}
    pages = [client.get("/explore", params=asked)]
    pages += [client.post(f"/report/{path}", data={**answers, **asked}) for path in ("check", "make")]
    by = kind if kind in ("rho", "mu", "gaussian", "laplace") else "rho"  # an epsilon may have a delta in the ledger
    place = client.get("/ledger.json").json()["accounts"][0]["address"]
    sent = {"token": answers["token"], "what": "table", "by": by, "amount": "2", "delta": "1e-6", "releases": "1"}
    pages.append(client.post(f"{place}/reserve/check", data=sent))
    for page in pages:
        assert page.status_code == 422
        assert '<a href="#delta">Delta ' in page.text
        assert "; got 1e-6. Leave it out" in page.text


@pytest.mark.parametrize("kind", NOISES)
def test_a_promise_without_a_delta_and_one_with_it_are_answered(client, answers, kind):
    asked = {"kind": kind, "parameter": "2", "delta": "", "prior": "0.1", "failure": "0.01"}
    both = {**asked, "kind": "epsilon-delta", "delta": "1e-6"}
    for each in (asked, both):
        assert client.get("/explore", params=each).status_code == 200
        assert client.post("/report/check", data={**answers, **each}).status_code == 200
    made = client.post("/report/make", data={**answers, **both, "format": "toml"})
    assert tomllib.loads(made.text)["promise"]["delta"] == 1e-6


@pytest.mark.parametrize(
    "path",
    [
        "/explore/posterior.svg?from=/etc/hostname",
        "/explore/posterior?epsilon=1&requirements=/etc/hostname",
        "/explore/posterior.svg?epsilon=/etc/hostname",
        "/choose?quantity=posterior&limit=from%3D/etc/hostname&prior=0.1",
        "/claim?claim=from%3D/etc/hostname",
        "/plan?about=/etc/hostname",
    ],
)
def test_no_value_of_an_address_reads_a_file_of_the_server(client, path):
    with open("/etc/hostname", encoding="utf-8") as file:
        secret = file.read().strip()
    answer = client.get(path)
    assert answer.status_code in (404, 422)
    assert secret not in answer.text


@pytest.mark.parametrize("name", ["posterior", "power", "people", "releases"])
def test_a_picture_has_an_address_of_its_own_that_browsers_may_keep(client, name):
    asked = {"gaussian": "2", "prior": "0.1", "failure": "0.01"}
    asked |= {"level": "0.05"}
    found = client.get(f"/explore/{name}.svg", params=asked)
    assert found.headers["content-type"] == "image/svg+xml"
    assert "max-age" in found.headers["cache-control"]
    assert found.text.startswith("<svg")
    assert found.text == client.get(f"/explore/{name}.svg", params=asked).text
    numbers = client.get(f"/explore/{name}.json", params=asked).json()
    assert numbers["alt"]
    assert numbers["table"]


def test_every_picture_of_a_page_is_there(client):
    text = client.get("/explore").text
    addresses = [unescape(each.partition('"')[0]) for each in text.split('<img src="')[1:]]
    assert len(addresses) == 5
    assert all(client.get(each).status_code == 200 for each in addresses)


def test_the_families_of_a_choice_have_the_parameters_of_recommend(client):
    asked = {"quantity": "posterior", "limit": "0.3", "prior": "0.1", "failure": "0.01", "for": ["rho", "gaussian"]}
    found = client.get("/choose.json", params=asked).json()
    assert [*found] == ["rho", "gaussian"]
    for family, document in found.items():
        limit = {"posterior": "0.3", "prior": "0.1"}
        told = ask("recommend", {"for": family, "limit": [limit], "failure": "0.01"})
        assert document == told.answers.document()
        shown = unescape(client.get("/choose", params=asked).text)
        parameter, rest = told.opening.split(" posterior=0.3, prior=0.1")  # the page says the limit in words
        assert parameter in shown
        assert rest in shown


def test_a_family_that_cannot_meet_the_limit_says_so_and_the_others_answer(client):
    page = client.get(
        "/choose", params={"quantity": "posterior", "limit": "0.3", "prior": "0.1", "for": ["epsilon", "gaussian"]}
    )
    assert page.status_code == 200
    assert "Use epsilon 1.3499" in page.text
    assert "Gaussian noise cannot meet this limit without exception" in page.text


def test_a_limit_that_is_wrong_for_every_family_is_an_error_of_the_form(client):
    page = client.get("/choose", params={"quantity": "posterior", "limit": "2", "prior": "0.1"})
    assert page.status_code == 422
    assert "There is a problem" in page.text


def test_beliefs_that_are_clicked_are_a_profile(client):
    asked = {"quantity": "beliefs", "from_0.01": "0.05", "from_0.1": "0.3", "from_0.5": "0.7", "for": ["laplace"]}
    page = client.get("/choose", params=asked)
    profile = elicitation.profile_from({0.01: 0.05, 0.1: 0.3, 0.5: 0.7}, value=1.0)
    scale = recommend(profile, Laplace).digits
    assert f"Use scale {scale}: the release then meets the profile of your beliefs" in page.text
    assert page.text.count(" checked>") - len(asked["for"]) == len(elicitation.questions())  # one in each row
    crossed = client.get("/choose", params={**asked, "from_0.01": "0.5"})
    assert crossed.status_code == 422
    assert "must not fall" in crossed.text


def test_the_frontier_has_the_noise_of_smaller_limits_up_to_the_one_that_was_asked(client):
    asked = {"quantity": "posterior", "limit": "0.3", "prior": "0.1", "failure": "0.01", "for": "laplace"}
    page = client.get("/choose", params=asked)
    (address,) = [each.partition('"')[0] for each in page.text.split('src="/choose/frontier.svg')[1:]]
    assert client.get("/choose/frontier.svg" + unescape(address)).text.startswith("<svg")
    table = client.get("/choose/frontier.json", params=asked).json()["table"]
    steps = [recommend(limits.posterior(most, prior=0.1), Laplace, failure=0.01) for most in (0.15, 0.2, 0.25, 0.3)]
    assert table["parameter"] == [float(step.rounded()) for step in steps]


def test_noise_that_cannot_meet_the_limit_is_left_out_of_the_picture(client):
    asked = {"quantity": "posterior", "limit": "0.3", "prior": "0.1", "failure": "0"}
    found = client.get("/choose/families.json", params=asked).json()["table"]
    assert len(found["noise"]) == 2
    assert not any("Gaussian" in each for each in found["noise"])


def test_a_plan_of_ones_own_is_read_from_the_form(client):
    kept = fields(client.get("/plan").text)
    sent = {"token": kept["token"], "text": PLAN, "about": "age", "prior": "0.1", "failure": "0.01"}
    page = client.post("/plan", data=sent)
    assert page.status_code == 200
    told = ask("plan", {"file": {"name": "p", "text": PLAN}, "about": "age", "prior": "0.1", "failure": "0.01"})
    assert told.opening.split("\n")[0] in text_of(page)
    assert plan_from_toml(PLAN).name in page.text
    wrong = client.post("/plan", data={**sent, "text": "levels ="})
    assert wrong.status_code == 422
    assert "There is a problem" in wrong.text


def test_a_plan_of_ones_own_is_read_from_a_file(client):
    kept = fields(client.get("/plan").text)
    sent = {"token": kept["token"], "about": "age", "prior": "0.1", "failure": "0.01"}
    typed = client.post("/plan", data={**sent, "text": PLAN})
    for content in (PLAN.encode(), b"\xef\xbb\xbf" + PLAN.encode()):
        chosen = client.post("/plan", data={**sent, "text": "ignored"}, files={"file": ("plan.toml", content)})
        assert chosen.status_code == 200
        assert text_of(chosen).partition("The answer")[2] == text_of(typed).partition("The answer")[2] != ""
    for content in (b"\xff\xfe", b"levels =", b"\x00" * 1000):
        wrong = client.post("/plan", data=sent, files={"file": ("plan.toml", content)})
        assert wrong.status_code == 422
        assert "There is a problem" in wrong.text
    assert client.post("/plan", data=sent, files={"file": ("plan.toml", b"#" * 300_000)}).status_code == 413


def test_a_form_of_another_session_is_refused(client):
    assert client.post("/plan", data={"token": "0" * 64, "text": PLAN}).status_code == 403
    assert client.post("/report/check", data={"name": "x"}).status_code == 403


@pytest.fixture
def answers(client) -> dict[str, str]:
    sent = {"token": fields(client.get("/report").text)["token"], "name": "Visits by month", "publisher": "An office"}
    sent |= {"kind": "rho"}
    sent |= {"parameter": "0.02", "releases": "1", "prior": "0.1", "posterior": "0.3", "failure": "0.01"}
    return sent


def test_the_answers_are_checked_before_a_file_is_made_and_can_be_changed(client, answers):
    page = client.post("/report/check", data=answers)
    assert "Check your answers" in page.text
    assert "Visits by month" in page.text
    again = client.post("/report/change", data=fields(page.text))
    assert 'value="Visits by month"' in again.text


@pytest.mark.parametrize("ending", ["toml", "html", "docx", "pdf"])
@pytest.mark.parametrize("what", ["sheet", "report"])
def test_the_sheet_and_the_report_come_as_files(client, answers, ending, what):
    made = client.post("/report/make", data={**answers, "format": ending, "what": what})
    assert made.status_code == 200
    assert made.headers["content-disposition"] == f'attachment; filename="release.{ending}"'
    assert made.headers["cache-control"] == "no-store"
    if ending == "toml":
        found = tomllib.loads(made.text)
        assert found["release"]["name"] == "Visits by month"
        assert found["promise"]["rho"] == 0.02
        assert "ledger" not in found
    else:
        assert made.content.startswith({"html": b"<!DOCTYPE", "docx": b"PK", "pdf": b"%PDF"}[ending])


@pytest.mark.parametrize("covers", ["all releases", "each release"])
def test_the_file_says_what_a_period_holds(client, answers, covers):
    asked = {**answers, "releases": "4", "period": "one year", "covers": covers, "format": "toml"}
    made = client.post("/report/make", data=asked)
    assert tomllib.loads(made.text)["unit"] == {"name": "person", "period": "one year", "covers": covers}
    wrong = client.post("/report/check", data={**asked, "covers": "some"})
    assert wrong.status_code == 422


def test_a_wrong_answer_of_the_form_is_named(client, answers):
    page = client.post("/report/check", data={**answers, "prior": "7"})
    assert page.status_code == 422
    assert 'href="#prior"' in page.text
    assert 'value="Visits by month"' in page.text


def test_every_wrong_answer_of_the_form_is_named_at_once(client, answers):
    page = client.post("/report/check", data={**answers, "parameter": "much", "prior": "7", "failure": "-1"})
    assert page.status_code == 422
    summary = unescape(page.text.partition("</ul>\n</div>")[0])
    for said in ("#parameter", "#prior", "#failure", "Its parameter must be a number; got much."):
        assert said in summary
    assert "#posterior" not in summary  # it is right, whatever stands in for the prior
    assert "line " not in summary


@pytest.mark.parametrize("unsaid", ["", "(name of the release)"])
def test_a_release_without_a_name_and_a_publisher_is_refused(client, answers, unsaid):
    form = client.get("/report").text
    assert 'value="(' not in form
    assert form.count(" required=") == form.count(" placeholder=") == 2
    page = client.post("/report/check", data={**answers, "name": unsaid, "publisher": "(name of the publisher)"})
    assert page.status_code == 422
    assert "What is released must be filled in" in page.text
    assert "Who publishes it must be filled in" in page.text


def test_every_theorem_has_a_page_and_pages_link_to_theirs(client):
    broken = [key for key in THEOREMS if client.get(f"/learn/theorems/{key}").status_code != 200]
    assert broken == []
    assert client.get("/learn/theorems/nothing").status_code == 404
    text = client.get("/explore").text
    linked = {each.partition('"')[0] for each in text.split('href="/learn/theorems/')[1:]}
    assert linked
    assert linked <= THEOREMS.keys()


def test_releases_that_were_made_are_listed(client):
    assert "us-census-redistricting-persons" in client.get("/learn/catalogue").text


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("quantity=posterior&limit=0.3&prior=0.1", "meets the limit (posterior at a prior of 10 %: at most 30 %)"),
        (
            "quantity=power&limit=0.1&level=0.05&failure=",
            "the limit (power of the best test at a level of 5 %: at most 10 %)",
        ),
        (
            "quantity=ratio&limit=3&prior=0.1",
            "the limit (ratio of posterior to prior at a prior of 10 %: at most 3)",
        ),
        ("quantity=difference&limit=0.2", "meets the limit (increase from prior to posterior: at most 20 %)"),
        ("quantity=profile&relative=3&absolute=0.25", "(relative risk: at most 3; absolute risk: at most 25 %)"),
    ],
)
def test_what_is_acceptable_is_said_in_words(client, query, said):
    text = client.get(f"/choose?{query}&for=epsilon").text
    cards = re.findall(r'<div class="card">.*?</div>|<p class="quiet">.*?</p>', text, flags=re.DOTALL)
    assert any(said in each for each in cards), cards
    assert not any(re.search(r"\b(posterior|prior|power|level|relative|ratio|difference)=", each) for each in cards)
