"""Commands for agreement: of raters in a table, and of two folders with graphs of the same figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.files.files import (
    STANDARD_INPUT,
    ColumnsOption,
    EncodingOption,
    FileAnswers,
    SheetOption,
    about,
    columns_from,
    in_pairs,
    name_of,
    name_of_pair,
    notices_of,
    once_from_standard_input,
    pairs_of,
    read_graph,
    read_text_table,
)
from cli.files.output import CommandResult, JsonOption, answer_each, estimates, in_table, in_words
from cli.files.verdict_agreement import verdicts_command
from core.agreement.level import MeasurementLevel
from core.errors import BadInput, EdgewiseError, UnreadableFile
from core.estimate import Estimate, undefined
from core.words import ends

if TYPE_CHECKING:
    from core.agreement.ratings import Ratings
    from core.graphs.compare import Comparison

app = typer.Typer()
agreement_app = typer.Typer(
    no_args_is_help=True, help="Agreement between raters, transcriptions of figures, or verdicts."
)
app.add_typer(agreement_app, name="agreement")
agreement_app.command("verdicts")(verdicts_command)

# --- ratings ----------------------------------------------------------------------------------------------------


@agreement_app.command("ratings")
def ratings_command(
    tables: Annotated[
        list[Path],
        typer.Argument(
            help="CSV files: a row of headings, then one row per unit and one column per rater, or one row per rating "
            "(rater, unit, value); an empty cell is not rated; - is standard input.",
            callback=once_from_standard_input,
        ),
    ],
    level: Annotated[MeasurementLevel, typer.Option("--level", help="Level of measurement of the values.")],
    scale: Annotated[
        str, typer.Option("--scale", help="All values in order: 0,1,2,3. Default: the values found.")
    ] = "",
    units: Annotated[
        str, typer.Option("--units", help="Column that names the units; none: the first column is a rater.")
    ] = "",
    encoding: EncodingOption = "",
    as_json: JsonOption = False,
) -> None:
    """Compute Krippendorff's alpha, Cohen's kappa, Gwet's AC1 and intraclass correlations of ratings."""
    values = [part.strip() for part in scale.split(",") if part.strip()]

    def work(file: Path) -> CommandResult:
        from core.agreement.ratings import Ratings
        from exchange.rating_table import read_ratings

        read = read_text_table(
            file,
            encoding,
            lambda content, name, known: read_ratings(content, name, encoding=known, scale=values, units=units),
        )
        ratings = Ratings.of(read.rows, read.scale)
        coefficients = _coefficients(ratings, level)
        notices = about(file, read.notices)
        names = [read.raters[place] or f"column {place + 1}" for place in ratings.raters]
        return CommandResult(
            _plain_ratings(coefficients, ratings, names),
            _words_of_ratings(coefficients, ratings, level, names),
            notices,
        )

    answer_each(tables, work, name_of, as_json)


def _coefficients(ratings: Ratings, level: MeasurementLevel) -> dict[str, Estimate]:
    """Return every coefficient by name. Raises BadInput if the level needs an order or distances that words lack."""
    from core.agreement.ac1 import gwet_ac1
    from core.agreement.alpha import krippendorff_alpha
    from core.agreement.icc import Icc, intraclass
    from core.agreement.kappa import Weights, cohen_kappa
    from core.agreement.ratings import obstacle, raw_agreement

    by_name = {"alpha": krippendorff_alpha(ratings, level)}
    two = ratings.pair(*ratings.raters) if len(ratings.raters) == 2 else ratings  # an empty column is no rater
    alone = obstacle(ratings) or undefined("there is only one rater")
    for name, weights in (("unweighted", Weights.NONE), ("linear", Weights.LINEAR), ("quadratic", Weights.QUADRATIC)):
        try:
            by_name[name] = cohen_kappa(two, weights) if len(ratings.raters) > 1 else alone
        except BadInput as error:  # three raters, unordered words
            by_name[name] = undefined(_as_reason(error))
    by_name["ac1"], by_name["raw_agreement"] = gwet_ac1(ratings), raw_agreement(ratings)
    try:
        correlations = intraclass(ratings)
    except BadInput as error:
        correlations = dict.fromkeys(Icc, undefined(_as_reason(error)))
    return by_name | {form.value: each for form, each in correlations.items()}


def _as_reason(error: EdgewiseError) -> str:
    text = str(error).rstrip(".")
    return text[:1].lower() + text[1:] if text[1:2].islower() and not text.startswith("Cohen") else text


def _plain_ratings(coefficients: dict[str, Estimate], ratings: Ratings, raters: list[str]) -> dict[str, Any]:
    icc = {
        form.removeprefix("ICC(").removesuffix(")"): {**estimates(value=each), "low": each.low, "high": each.high}
        for form, each in coefficients.items()
        if form.startswith("ICC")
    }
    return {
        **estimates(alpha=coefficients["alpha"]),
        "kappa": estimates(**{name: coefficients[name] for name in ("unweighted", "linear", "quadratic")}),
        **estimates(ac1=coefficients["ac1"], raw_agreement=coefficients["raw_agreement"]),
        "icc": icc,
        "n_units": len(ratings.codes),
        "n_raters": len(raters),
        "raters": raters,
    }


def _words_of_ratings(
    coefficients: dict[str, Estimate], ratings: Ratings, level: MeasurementLevel, raters: list[str]
) -> str:
    named = {
        "alpha": f"Krippendorff's alpha ({level.value})",
        "unweighted": "Cohen's kappa",
        "linear": "  Linear weights",
        "quadratic": "  Quadratic weights",
        "ac1": "Gwet's AC1",
        "raw_agreement": "Raw agreement",
    }
    rows = [
        ("Units", str(len(ratings.codes))),
        ("Raters", ": ".join(filter(None, (str(len(raters)), ", ".join(raters))))),
    ]
    for name, each in coefficients.items():
        interval = ""
        if each.low is not None and each.high is not None:
            interval = f"  95%: {ends(f'{each.low:.4f}', f'{each.high:.4f}')}"
        rows.append((named.get(name, name), in_words(each) + interval))
    return in_table(rows)


# --- folders of graphs ------------------------------------------------------------------------------------------


@agreement_app.command("graphs")
def graphs_command(
    folder_a_folder_b: Annotated[
        list[Path],
        typer.Argument(
            metavar="REFERENCE PREDICTION …",
            help="Pairs of folders, reference and prediction, with graph files of equal names (endings may differ).",
            callback=in_pairs,
        ),
    ],
    columns: ColumnsOption = "",
    encoding: EncodingOption = "",
    sheet: SheetOption = "",
    as_json: JsonOption = False,
) -> None:
    """Score each graph of a folder against its counterpart in another, by names equal after folding: one by one, mean ±
    population sd, and pooled."""
    options = FileAnswers(columns_from(columns), encoding, sheet)
    answer_each(pairs_of(folder_a_folder_b), lambda pair: _folders(pair, options), name_of_pair, as_json)


def _folders(pair: tuple[Path, Path], options: FileAnswers) -> CommandResult:
    from cli.files.agreement_words import plain_agreement, words_of
    from cli.files.comparison import compare_folded

    comparisons: dict[str, Comparison] = {}
    notices: list[str] = []
    faults: list[str] = []
    for name, files in _namesakes(*pair).items():
        try:
            reference, candidate = (read_graph(file, options) for file in files)
        except EdgewiseError as error:
            faults.append(str(error))
            continue
        comparisons[name], folded = compare_folded(reference.graph, candidate.graph)
        notices += [*notices_of(files[0], reference), *notices_of(files[1], candidate), *about(files[1], folded)]
    if faults:  # means over the other graphs only would mislead
        raise BadInput("\n".join(faults))
    return CommandResult(plain_agreement(comparisons), words_of(comparisons), tuple(notices))


def _namesakes(first: Path, second: Path) -> dict[str, tuple[Path, Path]]:
    """Return name without ending → the file of each folder. Raises UnreadableFile if one is no folder, BadInput
    unless every file has a counterpart."""
    first_files, second_files = _files(first), _files(second)
    alone = [str(first_files[name]) for name in first_files.keys() - second_files.keys()]
    alone += [str(second_files[name]) for name in second_files.keys() - first_files.keys()]
    if alone:
        raise BadInput(
            f"Every graph needs one of the same name in the other folder; these have none: "
            f"{', '.join(sorted(alone))}. Remove them, or add their counterparts."
        )
    return {name: (first_files[name], second_files[name]) for name in sorted(first_files)}


def _files(folder: Path) -> dict[str, Path]:
    if folder == STANDARD_INPUT or not folder.is_dir():
        raise UnreadableFile(f"{name_of(folder)} is not a folder; name two folders with graph files of equal names.")
    files = sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))
    if not files:
        raise UnreadableFile(f"{folder} contains no files.")
    by_name: dict[str, Path] = {}
    for file in files:
        other = by_name.setdefault(file.stem, file)
        if other is not file:
            raise BadInput(f"{folder} contains {other.name} and {file.name}; there must be one graph per name.")
    return by_name
