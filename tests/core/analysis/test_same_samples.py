"""Tables of the samples that every model has an answer for, and the remark where models have answers for others."""

from __future__ import annotations

from core.analysis.analyse import prepared, tables
from core.analysis.items import CONTROL
from core.analysis.same_samples import same_samples
from core.analysis.slices import Failures, Slice
from protocols.econcausal.tables import TABLES
from tests.core.analysis.items import PlantedItem, columns_of, frame_of, item

BOTH = [item(n, model=model, sample=f"s{n}") for model in ("m", "n") for n in (1, 2)]
ONLY_M = item(3, model="m", sample="s3", predicted="-")


def of_main(items: list[PlantedItem], chosen: Slice) -> tuple[str, str, float | None]:
    (table, *_) = tables(prepared(frame_of(items), TABLES, {"context": ""}, chosen), TABLES.preset("main"), chosen)
    return table.of, table.uneven, table.cells["m", table.column_labels[0]].estimate.value


def test_only_samples_that_every_model_has_an_answer_for_are_in_the_table() -> None:
    before, after = of_main([*BOTH, ONLY_M], Slice()), of_main([*BOTH, ONLY_M], Slice(is_same=True))
    assert before[2] == 2 / 3 and after[2] == 1
    assert "2 of 3" in before[1] and "every model" not in before[0]
    assert after[0].endswith("2 of 3 samples, which every model has an answer for") and not after[1]


def test_where_models_have_answers_for_the_same_samples_nothing_is_remarked() -> None:
    assert not of_main(BOTH, Slice())[1]
    assert not same_samples(columns_of([*BOTH, item(9, sample="s9", kind=CONTROL)])).words


def test_a_refused_answer_is_one_where_it_counts_as_0() -> None:
    refused = item(4, model="n", sample="s3", status="refused")
    assert "2 of 3" in of_main([*BOTH, ONLY_M, refused], Slice())[1]
    assert not of_main([*BOTH, ONLY_M, refused], Slice(failures=Failures.ZERO))[1]


def test_variants_are_each_by_themselves() -> None:
    other = [item(5, model="m", sample="s9", variant="no-context")]
    assert same_samples(columns_of([*BOTH, *other])).shared == 3


def test_a_model_without_an_answer_in_a_variant_does_not_count_there() -> None:
    excluded = [item(n, model="o", sample=f"s{n}", status="excluded") for n in (1, 2)]
    assert not same_samples(columns_of([*BOTH, *excluded])).words
    assert not same_samples(columns_of(excluded)).words
