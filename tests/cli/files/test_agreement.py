"""Agreement from files as a shell sees it: keys, undefined with its reason, lists, errors in their place, and means."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sklearn.metrics import cohen_kappa_score

from tests.cli.calling import Write, run, said
from tests.core.agreement.test_alpha import EXAMPLE_C

RATINGS = ["alpha", "kappa", "ac1", "raw_agreement", "icc", "n_units", "n_raters", "raters"]
FORMS = ["1,1", "2,1", "3,1", "1,k", "2,k", "3,k"]
COMPARED = ["node", "edge", "shd", "normalised", "kappa", "as_released"]


def table(rows: list[list[Any]]) -> str:
    lines = [[f"rater {place}" for place in range(len(rows[0]))], *rows]
    return "\n".join(",".join("" if cell is None else str(cell) for cell in line) for line in lines)


def keys(found: dict[str, Any]) -> list[str]:
    return [key for key in found if not key.endswith("_reason")]


# --- ratings ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "printed"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_ratings_have_their_keys_and_the_printed_alpha(write: Write, level: str, printed: float) -> None:
    found = said(run("agreement", "ratings", write("c.csv", table(EXAMPLE_C)), "--level", level, "--json"))
    assert keys(found) == RATINGS
    assert round(found["alpha"], 3) == printed
    assert (found["n_units"], found["n_raters"]) == (12, 4)
    assert found["raters"] == ["rater 0", "rater 1", "rater 2", "rater 3"]
    assert list(found["icc"]) == FORMS
    for form in found["icc"].values():
        assert keys(form) == ["value", "low", "high"]
        assert form["low"] < form["value"] < form["high"]
    assert keys(found["kappa"]) == ["unweighted", "linear", "quadratic"]
    assert found["kappa"]["linear"] is None
    assert found["kappa"]["linear_reason"].startswith("Cohen's kappa needs two raters, not 4")


def test_two_raters_have_the_kappas_of_scikit_learn(write: Write) -> None:
    first, second = [1, 2, 3, 3, 2, 1, 1, 3], [1, 2, 2, 3, 3, 1, 2, 3]
    text = table([[a, None, b] for a, b in zip(first, second, strict=True)])  # an empty column is no rater
    found = said(run("agreement", "ratings", write("k.csv", text), "--level", "ordinal", "--json"))
    assert (found["n_raters"], found["raters"]) == (2, ["rater 0", "rater 2"])
    for name, weights in (("unweighted", None), ("linear", "linear"), ("quadratic", "quadratic")):
        assert found["kappa"][name] == pytest.approx(cohen_kappa_score(first, second, weights=weights), abs=1e-12)


def test_degenerate_tables_are_null_with_reasons_and_no_errors(write: Write) -> None:
    files = [
        write("equal.csv", "a,b\n1,1\n1,1\n1,1\n"),
        write("one.csv", "a\n1\n2\n3\n"),
        write("second-empty.csv", "a,b\n1,\n2,\n3,\n"),
        write("nothing.csv", "a,b\n"),
        write("item.csv", "a,b,c\n1,2,2\n"),
    ]
    found = said(run("agreement", "ratings", *files, "--level", "interval", "--json"))
    reasons = [each["alpha_reason"] for each in found]
    assert reasons == [
        "every rating is 1, so chance agreement is complete",
        "there is only one rater",
        "there is only one rater",
        "there are no ratings",
        "only one unit was rated by two raters, and 3 are needed",
    ]
    for each in found:
        assert keys(each) == RATINGS
        assert each["alpha"] is None
        assert {form["value"] for form in each["icc"].values()} == {None}
        assert all(form["value_reason"] for form in each["icc"].values())
        assert all(each["kappa"][name] is None and each["kappa"][f"{name}_reason"] for name in keys(each["kappa"]))
    assert found[0]["raw_agreement"] == 1
    assert (found[1]["n_units"], found[1]["n_raters"]) == (3, 1)


def test_words_have_no_distances_and_an_order_only_if_it_is_given(write: Write) -> None:
    words = write("w.csv", "unit,a,b\n1,low,low\n2,mid,high\n3,high,high\n4,low,mid\n")
    nominal = said(run("agreement", "ratings", words, "--level", "nominal", "--json"))
    assert nominal["alpha"] is not None and nominal["kappa"]["unweighted"] is not None
    assert "give the scale in its order" in nominal["kappa"]["linear_reason"]
    assert "is not a number" in nominal["icc"]["1,1"]["value_reason"]
    refused = run("agreement", "ratings", words, "--level", "ordinal", "--json")
    assert (refused.returncode, refused.stdout) == (1, b"")
    ordered = said(run("agreement", "ratings", words, "--level", "ordinal", "--scale", "low,mid,high", "--json"))
    assert ordered["kappa"]["linear"] is not None


def test_several_tables_give_a_list_with_errors_in_their_place(write: Write, tmp_path: Path) -> None:
    good, short = write("good.csv", table([[1, 2], [2, 2], [3, 3]])), write("short.csv", "a,b\n1,2\n1\n")
    done = run("agreement", "ratings", good, short, tmp_path / "none.csv", "--level", "nominal", "--json")
    first, second, third = said(done, status=1)
    assert first["n_units"] == 3
    assert "short.csv, line 3" in second["error"] and "1 cells, expected 2" in second["error"]
    assert "No such file" in third["error"]


def test_without_json_every_coefficient_has_its_line(write: Write) -> None:
    shown = run("agreement", "ratings", "-", "--level", "ordinal", typed=table(EXAMPLE_C)).stdout.decode()
    assert "Krippendorff's alpha (ordinal)  0.8154\n" in shown
    assert "Cohen's kappa                   undefined: Cohen's kappa needs two raters, not 4" in shown
    assert "ICC(2,k)                        0.9035 (4 of 12 units are left out" in shown


def test_words_for_a_missing_rating_are_told_and_not_counted(write: Write) -> None:
    table = write("na.csv", "anna,bert\n1,1\n2,NA\n3,3\nNA,1\n2,2\n")
    done = run("agreement", "ratings", table, "--level", "nominal", "--json")
    assert said(done)["alpha"] == 1
    assert b"na.csv: 2 cells read as not rated: NA (2)." in done.stderr


def test_a_first_column_that_nobody_agrees_with_is_asked_about(write: Write) -> None:
    table = write("units.csv", "figure,anna,bert,cora\n1,1,1,1\n2,1,1,1\n3,2,2,2\n4,2,2,2\n")
    asked = run("agreement", "ratings", table, "--level", "nominal")
    assert (asked.returncode, asked.stdout) == (1, b"")
    assert b"Does it name the units? Answer with --units figure, or with --units none" in asked.stderr
    units = run("agreement", "ratings", table, "--level", "nominal", "--units", "figure").stdout.decode()
    assert "Raters                          3: anna, bert, cora\n" in units
    assert "Krippendorff's alpha (nominal)  1.0000\n" in units
    rater = said(run("agreement", "ratings", table, "--level", "nominal", "--units", "none", "--json"))
    assert (rater["n_raters"], rater["raters"][0], round(rater["alpha"], 2)) == (4, "figure", 0.42)


# --- folders ----------------------------------------------------------------------------------------------------

HOUSE = "source,sink,sign\nRain,Harvest,+\nHarvest,Income,+\n"
OTHER = "source,sink,sign\nRain,Harvest,+\nIncome,Harvest,-\n"
NONE = '{"nodes": ["Rain", "Harvest"], "edges": []}'


@pytest.fixture
def folders(write: Write, tmp_path: Path) -> tuple[Path, Path]:
    """Two graphs each, one of them written in another form, and the second of the candidates empty."""
    write("a/one.csv", HOUSE)
    write("b/one.csv", OTHER)
    write("a/two.csv", "source,sink,sign\nRain,Harvest,+\n")
    write("b/two.json", NONE)
    write("a/.hidden", "no graph")
    return tmp_path / "a", tmp_path / "b"


def test_folders_have_each_graph_the_mean_the_sd_and_the_pooled_figures(folders: tuple[Path, Path]) -> None:
    found = said(run("agreement", "graphs", *folders, "--json"))
    assert list(found) == ["per_graph", "macro", "pooled"]
    assert [each["name"] for each in found["per_graph"]] == ["one", "two"]
    assert list(found["macro"]) == ["mean", "population_sd"]
    for part in (*found["per_graph"], *found["macro"].values(), found["pooled"]):
        assert [key for key in keys(part) if key != "name"] == COMPARED
    # Edges: one of two is matched, the other turned round; of the second graph nothing. F1 1/2 and 0.
    assert [each["edge"]["f1"] for each in found["per_graph"]] == [0.5, 0]
    mean, sd, pooled = found["macro"]["mean"], found["macro"]["population_sd"], found["pooled"]
    assert (mean["edge"]["f1"], sd["edge"]["f1"]) == (0.25, 0.25)
    assert (mean["edge"]["precision"], mean["edge"]["precision_reason"]) == (0.5, "defined in 1 of 2 graphs")
    assert (pooled["edge"]["tp"], pooled["edge"]["fp"], pooled["edge"]["fn"]) == (1, 1, 2)
    assert pooled["edge"]["f1"] == 2 / 5
    assert pooled["shd"] == {"missing": 1, "extra": 0, "reversed": 1, "once": 2, "twice": 3}
    assert pooled["normalised"] == {"gold_pairs": 2 / 8, "union_pairs": 2 / 8, "gold_edges": 2 / 3}
    # Ordered pairs: 6 and 2; both 1, first 2, second 1, neither 4. Kappa 2(4 − 2) / (3·6 + 2·5).
    assert pooled["kappa"] == pytest.approx(4 / 28)
    assert pooled["as_released"]["f1_reason"] == "the released code scores one graph at a time"


def test_names_of_folders_are_folded_with_a_notice(folders: tuple[Path, Path], write: Write) -> None:
    first = said(run("agreement", "graphs", *folders, "--json"))["pooled"]["node"]["tp"]
    write("a/case.csv", "source,sink\nNet  Income,Price\n")
    write("b/case.csv", "source,sink\nnet income,PRICE\n")
    done = run("agreement", "graphs", *folders, "--json")
    assert said(done)["pooled"]["node"]["tp"] == first + 2
    assert (
        "case.csv: Names equal after folding were compared as one: “net income” as “Net Income”, “PRICE” as “Price”.\n"
        in (done.stderr.decode())
    )


def test_each_graph_is_scored_as_compare_scores_it(folders: tuple[Path, Path]) -> None:
    found = said(run("agreement", "graphs", *folders, "--json"))["per_graph"][0]
    compared = said(run("compare", folders[0] / "one.csv", folders[1] / "one.csv", "--json"))
    assert found == {"name": "one", **compared}


def test_what_is_defined_in_no_graph_is_null_with_the_reason(write: Write, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        write(f"{folder}/x.json", NONE)
    found = said(run("agreement", "graphs", tmp_path / "a", tmp_path / "b", "--json"))
    mean = found["macro"]["mean"]
    assert (mean["kappa"], mean["kappa_reason"]) == (None, "defined in none of 1 graphs")
    assert found["pooled"]["kappa_reason"] == "neither graph has an edge, so chance agreement is certain"


def test_several_pairs_of_folders_and_what_is_wrong_in_its_place(
    folders: tuple[Path, Path], write: Write, tmp_path: Path
) -> None:
    write("c/one.csv", HOUSE)
    write("d/one.csv", "source,sink,sign\nA,B,sideways\n")
    write("e/one.csv", HOUSE)
    write("e/one.json", NONE)
    pairs = [*folders, tmp_path / "c", tmp_path / "d", folders[0], tmp_path / "c", tmp_path / "c", tmp_path / "e"]
    done = run("agreement", "graphs", *pairs, tmp_path / "c", tmp_path / "none", "--json")
    first, faulty, alone, twice, missing = said(done, status=1)
    assert len(first["per_graph"]) == 2
    assert "line 2, sign: found 'sideways'" in faulty["error"]
    assert alone["error"].startswith("Every graph needs one of the same name in the other folder; these have none: ")
    assert "a/two.csv" in alone["error"]
    assert "contains one.csv and one.json; there must be one graph per name" in twice["error"]
    assert "none is not a folder" in missing["error"]
    assert run("agreement", "graphs", folders[0]).returncode == 2


def test_without_json_means_and_pooled_figures_are_named(folders: tuple[Path, Path]) -> None:
    shown = run("agreement", "graphs", *folders).stdout.decode()
    assert "Mean ± population sd over 2" in shown
    assert "0.2500 ± 0.2500" in shown
    assert shown.rstrip().splitlines()[-1].startswith("Pooled")
