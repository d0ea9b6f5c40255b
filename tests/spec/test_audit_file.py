"""Tables without noise in files: CSV, SDMX-CSV, JJ, .tab with .rda and .hrc, and TOML files that link them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from whit import spec
from whit.audit import Between, EqualGeometric, Exact, Rounded, RoundedEitherWay, Suppressed, TopCoded, cell_text, left
from whit.errors import InvalidInput, WhitError
from whit.policy.tables import BeliefLeft, ShareLeft, ValuesLeft, WidthLeft, audited

CSV = """region,sex,value,flag
north,women,,c
north,men,7,
south,women,5,
south,men,,c
north,Total,10,
south,Total,,x
Total,women,8,
Total,men,11,
Total,Total,19,
"""
JJ = """0
9
0 19 1 s 0 100 0 0 0
1 10 1 s 0 100 0 0 0
2 9 1 s 0 100 0 0 0
3 8 1 s 0 100 0 0 0
4 3 1 u 0 50 1 1 0
5 5 1 m 0 50 0 0 0
6 11 1 z 0 100 0 0 0
7 7 1 m 0 50 0 0 0
8 4 1 m 0 50 0 0 0
6
0 3 : 0 (-1) 1 (1) 2 (1)
0 3 : 3 (-1) 4 (1) 5 (1)
0 3 : 6 (-1) 7 (1) 8 (1)
0.0 3 : 0 ( -1 ) 3 ( 1 ) 6 ( 1 )
0 3 : 1 (-1) 4 (1) 7 (1)
0 3 : 2 (-1) 5 (1) 8 (1)
"""
RDA = """<SEPARATOR> ";"
<SAFE> S
<UNSAFE> U
<PROTECT> P
nace
  <RECODEABLE>
  <TOTCODE> "Total"
  <HIERARCHICAL>
  <HIERCODELIST> "C:\\data\\nace.hrc"
  <HIERLEADSTRING> "@"
region
  <RECODEABLE>
  <TOTCODE> "Total"
turnover
  <NUMERIC>
  <DECIMALS> 1
status
  <STATUS>
"""
TAB = """Total;Total;20.0;S
Total;n;9.0;S
Total;s;11.0;S
A;Total;13.0;S
A;n;6.0;S
A;s;7.0;S
A1;Total;8.0;U
A1;n;3.5;U
A1;s;4.5;U
A2;Total;5.0;U
A2;n;2.5;U
A2;s;2.5;U
B;Total;7.0;S
B;n;3.0;S
B;s;4.0;S
"""


@pytest.fixture
def read(tmp_path):
    """Reads a text under a name, and further texts beside it."""

    def reading(name: str, text: str, *limits, **beside: str) -> spec.AuditRead:
        for other, content in beside.items():
            (tmp_path / other.replace("__", ".")).write_text(content, encoding="utf-8")
        (tmp_path / name).write_text(text, encoding="utf-8")
        return spec.read_audit(tmp_path / name, limits)

    return reading


def said(found: spec.AuditRead, cell) -> object:
    [statement] = [each for about, each in found.task.publication.statements if about == cell]
    return statement


def test_a_table_in_csv_has_its_totals_as_equations(read):
    found = read("table.csv", CSV)
    assert said(found, ("north", "men")) == Exact(7)
    assert said(found, ("north", "women")) == Suppressed()
    assert len(found.task.publication.equations) == 6
    assert audited(found.task).failing[0].interval.least == 3
    assert found.truth is None


def test_order_of_rows_and_columns_and_separators_change_nothing(read):
    head, *rows = [line.split(",") for line in CSV.strip().splitlines()]
    turned = [[row[at] for at in (3, 1, 2, 0)] for row in [head, *reversed(rows)]]
    other = read("turned.csv", "\r\n".join(";".join(row) for row in turned))
    intervals = {cell_text(each.cell): each.interval.least for each in audited(read("table.csv", CSV).task).found}
    # The codes stand in the order of the columns.
    assert {" × ".join(name.split(" × ")[::-1]) for name in intervals} == {
        cell_text(each.cell) for each in audited(other.task).found
    }


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("5-9", Between(5, 9)),
        ("5 to 9", Between(5, 9)),
        ("100+", TopCoded(100)),
        ("<5", Between(None, 4)),
        ("..", Suppressed()),
    ],
)
def test_a_value_may_be_a_range(read, value, expected):
    found = read("table.csv", CSV.replace("north,women,,c", f"north,women,{value},"))
    assert said(found, ("north", "women")) == expected


@pytest.mark.parametrize(
    ("words", "value", "expected"),
    [
        ("suppressed: 1 to 4", "", Suppressed(Between(1, 4))),
        ("suppressed: fewer than 5", "", Suppressed(Between(None, 4))),
        ("rounded to 5", "10", Rounded(10, 5)),
        ("rounded to 3 either way", "9", RoundedEitherWay(9, 3)),
        ("top-coded", "50", TopCoded(50)),
        ("exact", "3", Exact(3)),
    ],
)
def test_flags_are_explained_in_words(read, words, value, expected):
    toml = f'[table]\nfile = "t.csv"\n[table.flags]\nc = "{words}"\n'
    table = CSV.replace("north,women,,c", f"north,women,{value},c").replace("south,men,,c", "south,men,4,")
    assert said(read("audit.toml", toml, t__csv=table), ("north", "women")) == expected


def test_a_cell_that_was_withheld_to_protect_others_is_spared(read):
    toml = '[table]\nfile = "t.csv"\n[table.flags]\nc = "suppressed: 1 to 4"\nx = "suppressed: complementary"\n'
    found = read("audit.toml", toml, t__csv=CSV)
    assert found.task.spared == {("south", "Total")}
    assert found.status["south", "Total"] == "withheld to protect others"


def test_a_flag_beside_a_value_must_be_explained(read):
    with pytest.raises(InvalidInput, match=r"line 3: the flag must be explained.*\[table.flags\]"):
        read("table.csv", CSV.replace("north,men,7,", "north,men,7,r"))


def test_sdmx_has_marks_of_its_own_and_its_withheld_values_are_true(read):
    rows = [line.split(",") for line in CSV.strip().splitlines()[1:]]
    true = {("north", "women"): "3", ("south", "men"): "4", ("south", "Total"): "9"}
    marks = {"": "F", "c": "C", "x": "D"}
    lines = [f"X:Y(1.0),A,{r},{s},2026,{v or true[r, s]},{marks[f]}" for r, s, v, f in rows]
    head = "DATAFLOW,FREQ,REGION,SEX,TIME_PERIOD,OBS_VALUE,CONF_STATUS"
    found = read("sdmx.csv", "\n".join([head, *lines]))
    assert said(found, ("north", "women")) == Suppressed()
    assert found.task.spared == {("south", "Total")}
    assert found.truth["north", "women"] == 3
    assert spec.starting_from_truth(found).truth == found.truth
    assert "truth" not in f"{found!r} {found.task!r}"


def test_true_values_that_are_not_there_are_not_started_from(read):
    with pytest.raises(InvalidInput, match="the true values must be in the file, one for each cell"):
        spec.starting_from_truth(read("table.csv", CSV))


def test_a_jj_file_has_cells_equations_bounds_and_levels(read):
    found = read("table.jj", JJ)
    assert said(found, "cell 0") == Exact(19)
    assert said(found, "cell 4") == Suppressed()
    assert found.task.spared == {"cell 5", "cell 7", "cell 8"}
    assert found.truth["cell 4"] == 3
    outcome = audited(found.task)
    # A square of four withheld cells: 4 + 5 = 8, 4 + 7 = 10, 5 + 8 = 9, 7 + 8 = 11, so the first is 0 to 8.
    assert [(each.interval.least, each.interval.most) for each in outcome.found if each.cell == "cell 4"] == [(0, 8)]
    assert outcome.is_kept


def test_levels_of_a_jj_file_are_required(read):
    outcome = audited(read("table.jj", JJ.replace("4 3 1 u 0 50 1 1 0", "4 3 1 u 0 50 1 6 0")).task)
    assert [each.broken for each in outcome.failing] == [("the protection levels of the file",)]


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        (
            "4 3 1 u",
            "4 3 1 q",
            r"table.jj, line 7: must be nine entries, the fourth a status; got 4 and 8 more entries",
        ),
        ("0 3 : 0 (-1)", "0 4 : 0 (-1)", r"line 13: must be an equation"),
        ("0 3 : 0 (-1)", "0 3 : 99 (-1)", "must be about cells of the file; got cell 99"),
        ("\n6\n", "\n7\n", "must have as many lines as it says"),
        ("\n6\n", "\n5\n", "must be the end after 5 equations"),
        ("4 3 1 u", "4 nan 1 u", "must have finite numbers"),
    ],
)
def test_a_broken_jj_file_is_refused_with_its_line(read, old, new, match):
    with pytest.raises(InvalidInput, match=match):
        read("table.jj", JJ.replace(old, new, 1))


def test_a_tab_file_has_its_description_beside_it_and_decimals(read):
    found = read("t.tab", TAB, t__rda=RDA, nace__hrc="A\n@A1\n@A2\nB\n")
    assert found.scale.decimals == 1
    assert said(found, ("A", "n")) == Exact(60)
    assert said(found, ("A1", "n")) == Suppressed()
    assert found.truth["A1", "n"] == 35
    names = {each.name for each in found.task.publication.equations}
    assert {"A × n = A1 × n + A2 × n", "Total × n = A × n + B × n", "A1 × Total = A1 × n + A1 × s"} <= names
    interval = left(found.task.publication).interval(("A1", "n"))
    assert (interval.least, interval.most) == (0, 60)


LINKED = """
[table]
file = "county.csv"
[[together]]
file = "group.csv"
"""
REGIONS = {"A": 1, "B": 3, "I": 8, "J": 8, "K": 3, "L": 2, "M": 4, "N": 7}


def test_linked_tables_share_the_cells_of_their_common_dimensions(read):
    both = "region,county,value\n{}", "region,size,value\n{}"
    open_ = {"I", "J", "N"}
    county = {"A": "1", "B": "1", "I": "1", "J": "1", "K": "2", "L": "2", "M": "2", "N": "2"}
    size = {"L": "big", "M": "big"} | dict.fromkeys("ABIJKN", "small")

    def lines(groups, totals):
        inside = [f"{r},{groups[r]},{v if r in open_ else ''}" for r, v in REGIONS.items()]
        zeros = [f"{r},{g},0" for r in REGIONS for g in totals if g != groups[r]]
        margins = [f"{r},Total,{v if r in open_ else ''}" for r, v in REGIONS.items()]
        return "\n".join([*inside, *zeros, *margins, *(f"Total,{g},{n}" for g, n in totals.items()), "Total,Total,36"])

    first, second = (
        both[0].format(lines(county, {"1": 20, "2": 16})),
        both[1].format(lines(size, {"small": 30, "big": 6})),
    )
    alone = read("county.csv", first)
    assert not left(alone.task.publication).interval(("K", "Total")).determined
    found = read("audit.toml", LINKED, group__csv=second)
    left_over = left(found.task.publication)
    # By county and by size group together, K is known; by neither alone (issue 136 of sdcTools/UserSupport).
    assert left_over.interval(("K", "Total", "Total")).least == 3
    assert left_over.interval(("K", "Total", "Total")).determined
    assert left_over.number == 35


@pytest.mark.parametrize(("first", "second", "spared"), [("x", "x", True), ("c", "x", False), ("x", "c", False)])
def test_a_cell_is_spared_only_if_every_table_withholds_it_for_others(read, first, second, spared):
    flags = '[table.flags]\nc = "suppressed"\nx = "suppressed: complementary"\n'
    toml = f'[table]\nfile = "a.csv"\n{flags}[[together]]\nfile = "b.csv"\n{flags.replace("[table", "[together")}'
    table = "region,{},value,flag\nnorth,p,,{}\nnorth,Total,,{}\nTotal,p,5,\nTotal,Total,5,\n"
    found = read("audit.toml", toml, a__csv=table.format("sex", "c", first), b__csv=table.format("age", "c", second))
    assert (("north", "Total", "Total") in found.task.spared) == spared


def test_readers_limits_and_equations_come_from_the_file(read):
    toml = """
[table]
file = "t.csv"
[[equation]]
name = "told elsewhere"
total = ["Total", "women"]
parts = [["north", "women"], ["south", "women"]]
[[adversary]]
name = "a woman in the north"
knows = { cell = ["north", "women"], contributes = 1 }
[[adversary]]
name = "the registrar of the north"
knows = [{ cell = ["north", "women"], value = 3 }]
[limit]
values_left = 3
interval = "10 %"
posterior = "50 %"
within = 2
"""
    found = read("audit.toml", toml, t__csv=CSV)
    assert [each.name for each in found.task.readers] == ["a woman in the north", "the registrar of the north"]
    assert found.task.readers[0].knowledge.facts == ((("north", "women"), Between(1, None)),)
    assert found.task.readers[1].knowledge.facts == ((("north", "women"), Exact(3)),)
    assert [type(each) for each in found.task.limits] == [ValuesLeft, ShareLeft, BeliefLeft]
    assert found.task.publication.equations[-1].name == "told elsewhere"


def test_an_interval_is_a_width_or_a_percentage():
    assert spec.cell_limits_of(spec.Given({"interval": "5"})) == (WidthLeft(5),)
    assert spec.cell_limits_of(spec.Given({"interval": "2.5 %"}))[0].percent * 2 == 5
    with pytest.raises(InvalidInput, match="--interval must be a width or a percentage; got wide"):
        spec.cell_limits_of(spec.Given({"interval": "wide"}))


@pytest.mark.parametrize("width", ["9" * 5000, 10**5000, "0", -3, True], ids=["long text", "long", "0", "-3", "true"])
def test_the_width_of_an_interval_is_a_whole_number_that_is_not_too_long(width):
    with pytest.raises(InvalidInput, match="--interval must be a whole number"):
        spec.cell_limits_of(spec.Given({"interval": width}))


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "the first line of table.csv must name a column of values"),
        ("a,b\n1,2\n", "must name a column of values"),
        ("a,value\nx,1\nx,2\nTotal,3\n", "line 3: must be about another cell than line 2; got x"),
        ("a,value\nx,1\ny,2\n", "the total of a must be one of its codes"),
        ("a,value\nx,1,4\nTotal,1\n", "line 2: must have 2 entries"),
        ("a,value\nx,many\nTotal,1\n", "line 2: must be a value; got many"),
        (
            "a,value,value\nx,1,2\nTotal,1,2\n",
            "^the first line of table.csv must have each column once; got value twice",
        ),
        ("a,value, VALUE\nx,1,2\nTotal,1,2\n", "must have each column once; got value and VALUE"),
        ("a,A,value\nx,y,1\nTotal,Total,1\n", "must have each column once; got a and A"),
        ("a,value,flag,Flag\nx,,c,\nTotal,1,,\n", "must have each column once; got flag and Flag"),
    ],
)
def test_a_broken_table_is_refused_with_its_line(read, text, match):
    with pytest.raises(WhitError, match=match):
        read("table.csv", text)


def test_a_description_with_two_columns_of_codes_of_one_name_is_refused(read):
    with pytest.raises(WhitError, match="the description of t.tab must have each column once; got nace and Nace"):
        read("t.tab", "", t__rda=RDA.replace("\nregion\n", "\nNace\n"))


def test_a_hierarchy_that_skips_a_level_is_refused(read):
    toml = '[table]\nfile = "t.csv"\n[table.hierarchies]\nregion = "r.hrc"\n'
    with pytest.raises(InvalidInput, match=r"r.hrc, line 2: must be indented by at most one step more"):
        read("audit.toml", toml, t__csv=CSV, r__hrc="north\n@@south\n")


def test_a_file_outside_of_the_folder_is_not_read(read):
    with pytest.raises(InvalidInput, match="must lie beside the one that names it"):
        read("audit.toml", '[table]\nfile = "../../etc/passwd"\n')


@pytest.mark.parametrize(
    ("mark", "is_further"),
    [("A", False), ("C", False), ("D", True), ("E", False), ("G", False), ("N", False), ("S", True), ("T", False)],
)
@pytest.mark.parametrize("column", ["CONF_STATUS", "OBS_CONF"])
def test_marks_of_sdmx_withhold_and_two_of_them_protect_others(read, mark, is_further, column):
    rows = ["north,5,F", f"south,4,{mark}", f"west,3,{mark}", "Total,12,F"]
    found = read("sdmx.csv", f"REGION,OBS_VALUE,{column}\n" + "\n".join(rows))
    assert said(found, ("south",)) == Suppressed()
    assert (("south",) in found.task.spared) == is_further


def test_a_cell_that_cannot_exist_is_known_to_be_nothing(read):
    head = "REGION,OBS_VALUE,OBS_STATUS,CONF_STATUS"
    rows = ["north,5,A,F", "south,,Q,C", "sea,,M,F", "Total,12,A,F"]
    found = read("sdmx.csv", "\n".join([head, *rows]))
    assert said(found, ("sea",)) == Exact(0)
    assert said(found, ("south",)) == Suppressed()
    # 12 - 5 - 0: a reader who did not know of the sea would have 0 to 7 left.
    assert audited(found.task).failing[0].interval.least == 7


def test_an_extension_cell_of_sdctable_is_withheld_and_needs_nothing(read):
    found = read("table.jj", JJ.replace("5 5 1 m", "5 5 1 w"))
    assert said(found, "cell 5") == Suppressed()
    assert "cell 5" in found.task.spared


def test_a_number_of_a_cell_may_be_written_as_r_writes_it(read):
    renamed = (
        JJ.replace("\n8 4 1 m", "\n1e+05 4 1 m").replace(" 8 (1)", " 1e+05 (1)").replace(" 8 ( 1 )", " 1e+05 ( 1 )")
    )
    assert "cell 100000" in read("table.jj", renamed).task.publication.cells
    with pytest.raises(InvalidInput, match="must begin with the number of a cell; got x"):
        read("table.jj", JJ.replace("\n8 4 1 m", "\nx 4 1 m"))


SIGNED = "firm,value\nA,\nB,\nTotal,-3\n"


def test_the_least_value_of_a_cell_is_what_everybody_knows_of_it(read):
    def interval(least: str):
        found = read("audit.toml", f'[table]\nfile = "t.csv"\n{least}', t__csv=SIGNED.replace("-3", "5"))
        each = audited(found.task).found[0].interval
        return each.least, each.most

    assert interval("") == (0, 5)
    assert interval("least = 1") == (1, 4)
    assert interval("least = -2") == (-2, 7)
    assert interval('least = "none"') == (None, None)


def test_negative_totals_need_another_least_value(read):
    with pytest.raises(WhitError, match="contradict"):
        audited(read("audit.toml", '[table]\nfile = "t.csv"\n', t__csv=SIGNED).task)
    assert audited(read("audit.toml", '[table]\nfile = "t.csv"\nleast = -10\n', t__csv=SIGNED).task).is_kept


@pytest.mark.parametrize(
    ("toml", "match"),
    [
        ('[table]\nfile = "t.csv"\nleast = "low"\n', "least must be the least value that a cell can have; got low"),
        ('[table]\nfile = "t.csv"\nleast = true\n', "least must be the least value"),
        (
            '[table]\nfile = "t.csv"\n[[together]]\nfile = "t.csv"\nleast = 0\n',
            r"least is about the cells of all tables; got 0. Write it in \[table\]",
        ),
        (
            (
                '[table]\nfile = "t.csv"\nleast = "none"\n[[adversary]]\nname = "A"\n'
                'knows = { cell = ["A"], contributes = 2 }\n'
            ),
            "least must be 0 or more if a contribution is to tell something",
        ),
        ('[table]\nfile = "t.csv"\n[limit]\nposterior = 0.5\nprior = 0.1\n', "prior needs a law of the cells"),
        ('[table]\nfile = "t.csv"\n[limit]\nposterior = 0.5\nlaw = "normal"\n', "law must be a law of the cells"),
        ('[table]\nfile = "t.csv"\n[limit]\nposterior = 0.5\nlaw = "geometric 2"\n', "law must be above 0 and below 1"),
        ('[table]\nfile = "t.csv"\n[limit]\nprior = 0.1\n', "prior goes with a posterior"),
        ('[table]\nfile = "t.csv"\n[limit]\ninterval = "x %"\n', "interval must be a width or a percentage"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_place(read, toml, match):
    with pytest.raises(WhitError, match=rf"audit.toml.*{match}"):
        read("audit.toml", toml, t__csv=SIGNED.replace("-3", "5"))


@pytest.mark.parametrize("prior", ['"0.01..0.1"', "[0.01, 0.1]", '"1%..10%"'])
def test_a_range_of_priors_is_written_as_for_noise(read, prior):
    toml = f'[table]\nfile = "t.csv"\n[limit]\nposterior = "50 %"\nlaw = "geometric 0.5"\nprior = {prior}\n'
    [limit] = read("audit.toml", toml, t__csv=CSV).task.limits
    law = EqualGeometric(Fraction(1, 2))
    assert limit == BeliefLeft(Fraction(1, 2), prior=law, between=(Fraction(1, 100), Fraction(1, 10)))
    assert limit.required.endswith(
        "from every prior between 0.01 and 0.1, if cells had independent geometric laws with ratio 0.5"
    )


@pytest.mark.parametrize("value", ["9" * 28, "9" * 5000, "0." + "0" * 30 + "1"])
def test_a_value_of_more_digits_than_decimal_arithmetic_keeps_is_refused(value):
    with pytest.raises(InvalidInput, match="must have at most 27 digits"):
        spec.audit_of(CSV.replace("7,", f"{value},"), "t.csv")


@pytest.mark.parametrize(
    ("value", "places"),
    [("-1e308", (1, 4, 8)), ("9" * 400, (1, 4, 8)), ("2.2144726948000309e-304", (1,)), ("1e-999999999", (1,))],
)
def test_so_is_one_of_a_jj_file_wherever_it_stands(value, places):
    for place in places:
        lines = [line.split() for line in JJ.splitlines()]
        lines[6][place] = value
        with pytest.raises(InvalidInput, match="must have at most 27 digits"):
            spec.audit_of("\n".join(map(" ".join, lines)), "t.jj")


def test_twenty_seven_digits_are_kept_to_the_last():
    found = spec.audit_of(f"region,value\nA,{'9' * 27}\nTotal,{'9' * 27}\n", "t.csv")
    assert said(found, ("A",)) == Exact(10**27 - 1)


@pytest.mark.parametrize("value", ['"three"', '"1,5"', "nan", "inf", "[3]", '""'])
def test_what_a_reader_knows_of_a_cell_must_be_a_number(read, value):
    knows = f'knows = {{ cell = ["north", "women"], value = {value} }}'
    toml = f'[table]\nfile = "t.csv"\n[[adversary]]\nname = "x"\n{knows}\n'
    with pytest.raises(InvalidInput, match="value must be a number"):
        read("audit.toml", toml, t__csv=CSV)


@pytest.mark.parametrize(
    ("low", "high", "ends"), [("2.5", "7.5", (3, 7)), ("-2.5", "-0.5", (-2, -1)), ("2", "7", (2, 7))]
)
def test_known_bounds_of_a_jj_file_are_rounded_inwards_to_whole_numbers(low, high, ends):
    lines = [line.split() for line in JJ.splitlines()]
    lines[6][4:6] = [low, high]
    found = spec.audit_of("\n".join(map(" ".join, lines)), "t.jj")
    assert (("cell 4"), Between(*ends)) in found.task.readers[0].knowledge.facts


def test_a_protection_level_is_rounded_up():
    lines = [line.split() for line in JJ.splitlines()]
    lines[6][6:8] = ["1.5", "0.1"]
    [level] = spec.audit_of("\n".join(map(" ".join, lines)), "t.jj").task.own["cell 4"]
    assert (level.below, level.above) == (2, 1)


def test_an_empty_file_has_no_column_of_values():
    with pytest.raises(InvalidInput, match="must name a column of values; got nothing"):
        spec.audit_of("", "empty.csv")
