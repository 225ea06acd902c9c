"""The frame of results: one row for each question asked of a model. Every table is a function of it.

A frame is read from a study (`services/results/frame.py`) or from a file that anyone made; a file needs the columns
`NEEDED` only. `COLUMNS` and `GROUPS` say what each column holds. A fact of several values is a JSON list: a row
counts in the group of each of them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

NEEDED = ("item", "model", "sample", "status")
COLUMNS: Mapping[str, str] = {
    "item": "ID of the answer",
    "run": "the run it belongs to, such as “run 3”",
    "protocol": "the protocol that the run follows",
    "task": "the task of the protocol",
    "variant": "the variant in which the task was asked",
    "judged_variant": "of a judged answer: the variant in which it was asked for; `variant` is the judge's",
    "model": "the model that was asked; of a judged answer the one that gave it",
    "judge": "who judged the answer: a row for each judge; missing in runs without judges",
    "kind": "kind of the model: model, baseline, person, or control of a judge",
    "sample": "hash and key of the question, equal in every run that asks the same",
    "pair": "the question without its variant, equal for all variants of it",
    "cluster": "what intervals draw as a whole, a paper for most protocols; missing: the row by itself",
    "repeat": "0 for the first time that the sample was asked, or that the judge was",
    "status": "answered, unparsable, refused, truncated, failed, incomplete, excluded or pending",
    "judge_status": "judged, incomplete, unreadable, open or excluded; empty, unparsable, refused, truncated or failed "
    "where no judge is asked",
    "true": "the true label; missing where the truth is not a label",
    "predicted": "the label that was read from the answer; missing unless the answer has one",
    "right": "whether the answer is right; missing where it is neither right nor wrong",
    "answer": "the word that the label was read from, as the model wrote it",
    "flags": "remarks: asked_again, without_edges, and those of the protocol",
    "tokens_in": "tokens of all requests of the item",
    "tokens_out": "tokens of all replies of the item",
    "tokens_cached": "of tokens_in, those that the provider had cached",
    "tokens_reasoning": "of tokens_out, those of reasoning",
    "reasoning_characters": "characters of reasoning that the replies show",
    "cost_usd": "US dollars of all requests of the item",
    "latency_s": "seconds of all requests of the item",
    "family": "the model's family, from its card as the run kept it, as the next five",
    "type": "reasoning or instruct",
    "open_weight": "whether the model's weights are open",
    "parameters_b": "parameters in billions",
    "knowledge_cutoff": "until when the model's training data reach",
    "context_length": "tokens that the model takes at most",
}
GROUPS: Mapping[str, str] = {
    "score.": "scores, 0 to 1 or distances: score.answer, score.edge_f1; by judges score.default.overall_f1, and "
    "score.reviewed.default.overall_f1 with people's rulings",
    "prob.": "probability of each label, from log-probabilities",
    "fact.": "facts of the sample: what it is about, and what tables group by; fact.vector, of texts that the run "
    "embeds, is base64 of 32-bit floats; fact.flag, why people flagged the sample as bad; fact.code, the codes "
    "of the answer",
    "count.": "numbers: topology of the true graph; count.judged.* and count.reviewed.*, of predicted edges by labels "
    "and of planted labels of controls",
}
_USE = ("tokens_in", "tokens_out", "tokens_cached", "tokens_reasoning", "reasoning_characters", "cost_usd", "latency_s")


def is_number(name: str) -> bool:
    """Return whether a column holds numbers; the others hold texts, `right` and `open_weight` true or false."""
    return name in ("repeat", *_USE, "parameters_b", "context_length") or name.startswith(("score.", "prob.", "count."))


def coded(values: Sequence[Any], where: NDArray[np.intp] | None = None) -> pd.Categorical:
    """Return a column of texts, or of true and false, or None: the values, or those at the indices `where`. Each is
    stored once, in the order of first use."""
    import pandas as pd

    codes, distinct = pd.factorize(as_array(values))
    return pd.Categorical.from_codes(codes if where is None else codes[where], distinct)


def as_array(values: Sequence[Any]) -> NDArray[np.object_]:
    import numpy as np

    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def spread(prefix: str, rows: Sequence[Mapping[str, float] | None]) -> dict[str, NDArray[np.float64]]:
    """Columns of numbers from a mapping for each row, NaN where a row has none of a name. Names keep their order."""
    import numpy as np

    names = dict.fromkeys(name for row in rows if row for name in row)
    return {
        f"{prefix}{name}": np.array([row.get(name, np.nan) if row else np.nan for row in rows], dtype=np.float64)
        for name in names
    }


def packed(values: Sequence[str]) -> str | None:
    """Values of a fact, or flags, as a cell of the frame holds them: several as JSON.

    >>> packed(()), packed(("J",)), packed(("J", "H"))
    (None, 'J', '["J", "H"]')
    """
    if len(values) == 1 and not values[0].startswith("["):
        return values[0]
    return json.dumps(list(values), ensure_ascii=False) if values else None


def unpacked(cell: Any) -> tuple[str, ...]:
    """Return the values of a cell; a text that only looks like JSON, such as a title in brackets, is one value.

    >>> unpacked(None), unpacked("J"), unpacked('["J", "H"]'), unpacked("[Draft] J")
    ((), ('J',), ('J', 'H'), ('[Draft] J',))
    """
    if cell is None or cell != cell:
        return ()
    text = str(cell)
    if text.startswith("["):
        with suppress(ValueError):
            return tuple(map(str, json.loads(text)))
    return (text,)


def numbered(frame: pd.DataFrame, names: Collection[str]) -> NDArray[np.int32]:
    """Number rows by their values in some columns: equal rows have one number, in the order of the first of them."""
    import numpy as np
    import pandas as pd

    codes = np.zeros(len(frame), dtype=np.int64)
    many = 1
    for name in names:
        column = frame[name]
        if isinstance(column.dtype, pd.CategoricalDtype):
            of_column, values = column.cat.codes.to_numpy() + 1, len(column.cat.categories) + 1
        else:
            of_column, distinct = pd.factorize(column, use_na_sentinel=False)
            values = len(distinct)
        if many * values > 1 << 40:
            codes, distinct = pd.factorize(codes)
            many = len(distinct)
        codes, many = codes * values + of_column, many * values
    return np.asarray(pd.factorize(codes)[0], dtype=np.int32)
