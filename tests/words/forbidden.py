"""Words that screens, messages, help and guides do not use, each with the one that is right there.

Only what can be decided without its context is listed: a person must see "figure" for a number or "arrow" for an edge.
A blank in a pattern means any white space, so that a phrase is found over the end of a line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

BOTH, SCREENS = "both", "screens"
BEGINNING = r"(?<!\w)"


@dataclass(frozen=True, kw_only=True)
class Forbidden:
    pattern: re.Pattern[str]
    right: str
    where: str


def _forbidden(pattern: str, right: str, where: str = BOTH, *, is_cased: bool = False) -> Forbidden:
    written = pattern.replace(" ", r"\s+")
    flags = re.NOFLAG if is_cased else re.IGNORECASE
    return Forbidden(pattern=re.compile(rf"{BEGINNING}(?:{written})(?!\w)", flags), right=right, where=where)


_COUNTED = "people|persons|annotators|raters|experts|rows?|keys|requests|edges|numbers|tokens|papers|words"

FORBIDDEN = (
    # Things
    _forbidden(r"articles?", "paper"),
    _forbidden(r"(?:released|published|EconCausal[’']s(?: own)?) figures", "scores, measures"),
    _forbidden(r"figures of before", "the earlier values"),
    _forbidden(r"vertex|vertices", "node"),
    _forbidden(
        r"(?:accept|reject|refuse|proposed?|draw|mend|delete|remove)s? (?:(?:an?|the|this|that|these) )?arrows?", "edge"
    ),
    _forbidden(
        r"(?:needs|two|each|invisible) arrows?|an arrow (?:has a direction|without)|arrows (?:run|come) from",
        "edge",
        SCREENS,
    ),
    _forbidden(r"variables? (?:and|or) edges?|edges? (?:and|or) variables?", "node"),
    _forbidden(r"(?:there is no|has no|no|another) variable (?:is called|of the figure|[“\"])", "node"),
    _forbidden(r"polarity|polarities", "sign", SCREENS),
    _forbidden(
        r"(?:printed|illegible|misread|identical) labels?|labels? (?:identical|misread)",
        "name (of a node), printed name",
    ),
    _forbidden(r"labell?ers?", "annotator"),
    _forbidden(r"offer(?:s|ed|ing)?", "proposal (of an edge or node), suggestion (of a line); show, propose"),
    _forbidden(r"hand(?:s|ed|ing)? (?:(?:it|them|one|figures|a figure) )?(?:in|over|back)", "submit, return"),
    _forbidden(r"hand(?:s|ed|ing)? (?:(?:it|them|one|figures|a figure|the figures) )?out", "assign"),
    _forbidden(r"(?<!model\s)training(?! (?:cut-?off|data|set|text))", "practice (diagram)"),
    _forbidden(r"leases?|leased|laps(?:e|es|ed|ing)", "expire"),
    _forbidden(r"g[ai]v(?:e|es|en|ing) (?:(?:it|them|one|the figure) )?back", "return"),
    _forbidden(r"worklists?|piles?(?! up)", "queue"),
    _forbidden(r"resolving", "adjudication"),
    _forbidden(r"judge?ments?", "ruling"),
    _forbidden(r"ruled otherwise", "overruled"),
    _forbidden(r"(?:stand|stands|stood|standing)(?! for)", "is, appears, applies; convention"),
    _forbidden(r"came back", "feedback; returned"),
    _forbidden(r"gold", "ground truth"),
    _forbidden(r"dimensions? of (?:the )?(?:rubric|score)|aspects?", "criterion"),
    _forbidden(r"economists?", "expert"),
    _forbidden(r"scorers?", "expert"),
    _forbidden(r"auditors?|checkers?", "reviewer"),
    _forbidden(r"jobs?|experiments?", "run", SCREENS),
    _forbidden(r"(?<!for\s)instances?", "sample"),
    _forbidden(r"phases?", "step"),
    _forbidden(r"re-?runs?", "redo", SCREENS),
    _forbidden(r"(?:no|one|of|per|last|first|next|each) (?:try|tries)(?! has)", "attempt"),
    _forbidden(r"askings?", "request, repeat"),
    _forbidden(r"rungs?|ladders?", "parse stage"),
    _forbidden(r"sureness|certainty|how sure|percent sure", "confidence"),
    _forbidden(r"trivial models?|models? that needs? no key", "baseline"),
    _forbidden(r"purses?", "budget"),
    _forbidden(r"(?:endpoint|server) calls it|calls it", "Model ID"),
    _forbidden(r"kept (?:repl(?:y|ies)|answers?)|repl(?:y|ies) kept", "cached replies"),
    _forbidden(r"(?:for )?no second time", "cached; only once"),
    _forbidden(r"in sight", "visible"),
    _forbidden(r"slips?", "error"),
    _forbidden(r"deeds?", "act"),
    _forbidden(r"pace", "active time"),
    _forbidden(r"lots?|by lot", "random draw, seed; many"),
    _forbidden(r"out of use", "archived"),
    _forbidden(r"outdated|(?:the )?\w+ of before", "stale; earlier"),
    _forbidden(r"unknown end|never known", "unknown outcome"),
    _forbidden(rf"(?:{_COUNTED}) an? (?:figure|triplet|paper|run|sample|item|text|pair|row|score|model|person)", "per"),
    # Doing
    _forbidden(r"t[ao]ke?(?:s|n|ing)? (?:(?:it|them) )?away|took away|take[ns]? away", "download, export"),
    _forbidden(r"t(?:ak|ook)\w* (?:[\w’']+ ){0,3}along", "include"),
    _forbidden(r"(?:bring|brings|brought|comes?|coming|came) in(?! (?:the|a|an|place|every|each|one|two)\b)", "import"),
    _forbidden(r"anew", "again"),
    _forbidden(r"re-signed", "with another sign"),
    _forbidden(r"look with axe", "check with axe"),
    _forbidden(r"Go on", "Continue", is_cased=True),
    _forbidden(r"put (?:it |them )?out|lights? (?:its|up|the)|lit", "highlight"),
    _forbidden(r"put (?:it |them )?beside", "compare"),
    _forbidden(r"drop (?:my|your|mine|theirs)|(?:keep|keeps) it / (?:drop|drops) it", "discard; accept, reject"),
    _forbidden(r"at (?:least|most) so|most bytes", "minimum, maximum"),
    _forbidden(r"(?:no (?:figure|triplet|other)|nothing|nothing \w+) waits", "Queue empty; nothing to do"),
    _forbidden(r"mend(?:s|ed|ing)?", "correct"),
    _forbidden(r"turn(?:s|ed|ing)? (?:(?:it|them|an edge|the edge|this edge) )?round", "reverse"),
    _forbidden(r"Say (?:your|which|what|who|whether|how)", "Set, State, Show", is_cased=True),
    _forbidden(r"of the paper[’']s way|leave out more of the same", "say it in plain words"),
    # Tense, and verbs that only another language uses so
    _forbidden(
        r"(?<!has\s)(?<!have\s)(?<!been\s)(?:changed|decided|reopened|renamed) (?:elsewhere )?since",
        "has changed since",
    ),
    _forbidden(r"begun", "started"),
    _forbidden(r"somebody|everybody|anybody", "someone, everyone, anyone"),
    _forbidden(
        r"(?:names?|files?|folders?|repl(?:y|ies)|text|address|sheet|link|zip|abstract|source|message|reports?|demo|body|"
        r"figures|csv|json|backups?) (?:\w+ )?holds? (?:an?|no|the|more|only|one|all|several|everything|\d+|[“`])",
        "contains, has",
    ),
    _forbidden(r"at most [^\s;.]+ are kept", "are allowed"),
    _forbidden(r"at (?:character )?place [\d…]+|by click", "at position; by clicking"),
    _forbidden(
        r"waits? for (?:an? (?:worker|server|second annotator)|adjudication|people|an answer)", "is waiting for"
    ),
    _forbidden(r"left out,? (?:since|being)|since (?:when )?it was made", "because"),
    _forbidden(
        r"(?<!there\s)(?:is|are) no (?:json|errors?|study|setting|known \w+|active time|variables?|graph)", "is not"
    ),
    _forbidden(r"is (?:served|changed|issued) already|taken out or put", "is already being; removed"),
    _forbidden(r"(?:is|are) (?:adjudicated|used) or|(?:asks?|told) to slow down", "has been; asks for fewer"),
    _forbidden(r"(?<=[;:]\s)right is", "expected"),
    _forbidden(r"how is this computed", "How this is computed"),
    _forbidden(r"without an edit", "without edits; unless you edit"),
    _forbidden(r"edge F1|node F1", "F1 of edges, F1 of nodes", SCREENS),
    _forbidden(r"on hold", "waiting"),
    _forbidden(r"should be otherwise", "should differ"),
    _forbidden(r"to be made again", "to be decided again"),
    _forbidden(r"never over", "at most"),
    _forbidden(r"an act holds", "contains", SCREENS),
    _forbidden(r"the desk sent", "the browser sent", SCREENS),
    # Tone
    _forbidden(r"please|sorry|oops|whoops", "no such word"),
    _forbidden(r"simply", "leave it out"),
    _forbidden(r"\w+n[’']t|(?:I|you|we|they|he|she|it)[’'](?:re|ve|ll|d|m)", "no contraction"),
    _forbidden(r"(?:it|that|there|here|what|who|let)[’']s", "no contraction"),
    _forbidden(r"[Ww]e|us|We[’']re", "you, or the program by its name", SCREENS, is_cased=True),
    _forbidden(r"\w+\(e?s\)", "1 edge, 2 edges: core.words.counted"),
    _forbidden(r"n/a|not available", "– with its reason"),
    # Marks and keys
    _forbidden(r"\w+’\w+", "' as apostrophe", SCREENS),
    _forbidden(
        r"(?:Ctrl|Shift|Alt) ?\+ ?(?:Shift ?\+ ?)?(?!C\b)\w+|(?<=\s)Escape",
        "Ctrl Z, Shift Enter, Esc",
        SCREENS,
        is_cased=True,
    ),
    _forbidden(r"\[(?:Alt|Ctrl|Shift|Space)\]\+\w+", "[Alt] arrow keys", SCREENS),
    # Spelling
    _forbidden(r"colors?(?!\s*[:-])|colored|coloring", "colour"),
    _forbidden(r"behaviors?|favorites?|catalogs?|gr[a]y", "British spelling"),
    _forbidden(r"cent(?:er)(?:s|ed)?", "centre"),
    _forbidden(r"(?:label|cancel|model|travel)(?:ed|ing)", "labelled, cancelled, modelling"),
    _forbidden(
        r"\w*(?:normal|organ|recogn|minim|maxim|optim|summar|custom|initial|util|general|serial|categor|token|random)"
        r"iz(?:e|es|ed|ing|ation|er)",
        "-ise",
    ),
    _forbidden(r"analyz(?:e|es|ed|ing|er)", "analyse"),
)

ANY = re.compile(
    BEGINNING
    + "(?:"
    + "|".join(
        f"(?{'i' if each.pattern.flags & re.IGNORECASE else ''}:{each.pattern.pattern.removeprefix(BEGINNING)})"
        for each in FORBIDDEN
    )
    + ")"
)
"""Finds something wherever one of them does: one search of a text instead of a hundred."""

STRAIGHT = re.compile(r"""(?<![=\w:>-])(?<![=:>] )(["'])…\1(?! ?(?:->|[:\]}]))""")
"""A value in straight quotation marks; core.words.quoted writes “…”. What is to be typed keeps them: `"A" -> "B"`."""

ISO_DATE = re.compile(r"%Y-%m|%F|%m[/.]%d")
"""In formats of times; screens say "22 Nov 2026, 14:05": shell.moment, or a column of components.widgets.moments."""

EXCEPTED = {
    "(article|paper|review|letter|communication)": "what papers print above their titles",
    "what changed since the previous release": "the card of a release, whose bytes stay the same",
    "Changed since export": "a head of a list, without a verb",
    "offer them its source": "the words of the licence's condition",
    "labels identical ÷ names aligned": "a measure's name in CSV files",
    "labels identical except typos ÷ names aligned": "a measure's name in CSV files",
    "labels identical except typos and minor differences ÷ names aligned": "a measure's name in CSV files",
    "Illegal Behavior": "a title of a JEL code",
    "Take away": "the name by which links to a part of the graph lab are kept",
    "sign=Polarity": "heading of a file's column, as files have it",
    "a polarity is": "what files of Vensim and XMILE call the field",
    "I’m sorry, but I cannot help with that": "what a model writes",
}
"""Phrases that look forbidden and are right, each with its reason; they are left out of the search."""

STRAIGHT_IN = {
    "exchange/bif_writing.py": "a BIF file",
    "exchange/dot_syntax.py": "how a name is written in DOT",
    "cli/study/backups.py": "a command to type",
    "runs/queue_postgres.py": "SQL",
    "runs/scripted/demo_models.py": "what a made-up model writes",
    "services/demo/study.py": "an edge list to type",
}
"""Files whose texts have a value in straight quotation marks, each with its reason."""

EXCEPTED_FILES = {
    "documents/demo_papers.py": "text of made-up papers",
    "docs/glossary.md": "the words that are not used, beside those that are",
    "services/demo/": "what the demo's people and papers say",
    "documents/training_figure.py": "text printed in the practice diagram, whose file is released as it is",
    "components/desk/stored_words.js": "stored values, each with the words shown instead",
    "core/stored_words.py": "stored values, each with the words shown instead",
    "exchange/dot_marks.py": "names of attributes in DOT files",
    "protocols/replies/declining.py": "sentences in which models decline",
    "protocols/econcausal_pipeline/cues.py": "words of papers that are looked for",
    "runs/scripted/": "replies that the scripted models give",
}
"""Beginnings of paths whose texts are not ours to word, each with its reason."""
