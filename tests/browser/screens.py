"""Every screen of Edgewise by its link, in the states that a link or a press or two leads to; each is looked at once by
`test_every_screen.py`, on the study of `hostile.py`."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from tests.browser.hostile import PAYLOADS
from tests.everything import EVERYTHING, PROVING

ALL = tuple(PAYLOADS)
CUT = ("script", "image", "drawing", "frame")
"""What a title of 200 characters holds of all of them."""
IS_WHOLE = EVERYTHING or PROVING
LAB_PARTS = ("Loops", "Paths", "Node", "Queries", "Encodings", "Measures", "Table", "Download", "Comparison")


@dataclass(frozen=True)
class Screen:
    """A screen by its link (with {ids} of the seeded study) and the payloads it must show as typed. `press`: controls
    to press first, by role and name. Without a link it is the screen before, pressed on."""

    name: str
    link: str = ""
    shows: tuple[str, ...] = ()
    press: tuple[tuple[str, str], ...] = ()


USUAL = {
    "overview",
    "papers: list",
    "paper: figures",
    "paper: text",
    "transcription: figure and desk",
    "adjudication: desk",
    "triplet: desk",
    "verdicts: a sheet",
    "graphs: list",
    "graph",
    "runs: a new one",
    "run",
    "failures: an answer",
    "results",
    "exchange: graphs",
}
"""What a usual run looks at: of most pages the state that shows most of what strangers wrote."""
OUTSIDE = ("/sign-in", "/invitation/{token}", "/invitation/unknown")
"""What stands before the sign-in; no Streamlit there."""
SCREENS = (
    Screen("overview", "/", ("href",)),
    Screen("papers: list", "/papers", ALL),
    Screen("papers: flow", "/papers?view=flow"),
    Screen("papers: add", "/papers?view=add"),
    Screen("papers: contact sheet", "/papers?view=sheet", ALL),
    Screen("paper: figures", "/papers?paper={paper}&tab=locate&page=1", ALL),
    Screen("paper: screening", "/papers?paper={paper}&tab=screen", ALL),
    Screen("paper: text to make", "/papers?paper={paper}&tab=text&figure={ready}"),
    Screen("paper: text", "/papers?paper={paper}&tab=text&figure={text}", ALL),
    Screen("paper: description", "/papers?paper={paper}&tab=metadata", ALL),
    Screen("work list", "/transcribe", ALL),
    Screen("queue", "/transcribe?show=queue"),
    Screen("proposals", "/transcribe?show=proposals"),
    Screen("transcription: figure and desk", "/transcribe?transcription={own}", ALL),
    Screen("transcription: graph", shows=ALL, press=(("button", "Graph"),)),
    Screen("transcription: table", shows=ALL, press=(("button", "Table"),)),
    Screen("transcription: lines to mend", "/transcribe?transcription={faulty}"),
    Screen("review", "/transcribe?transcription={submitted}", ALL),
    Screen("adjudication: list", "/adjudicate", ALL),
    Screen("adjudication: ready", "/adjudicate?figure={ready}", ALL),
    Screen("adjudication: desk", "/adjudicate?adjudication={case}", ALL),
    Screen("triplets: list", "/triplets"),
    Screen("triplet: desk", "/triplets?scoring={sheet}", ALL),
    Screen("candidates: papers", "/triplets?run={pipeline}", ("image",)),
    Screen("candidates: a paper's lane", "/triplets?run={pipeline}&paper={lane}", ALL),
    Screen("candidates: decisions", "/triplets?run={pipeline}&part=decide", ALL),
    Screen("candidates: collecting", "/triplets?run={pipeline}&part=collect"),
    Screen("candidates: results", "/triplets?run={pipeline}&part=results"),
    Screen("questions of a run", "/questions?run={made}", ALL),
    Screen("questions of a run: entities", "/questions?run={made}&part=entities", ALL),
    Screen("questions of a run: a chain to decide", "/questions?run={chains}&part=entities", ALL),
    Screen("questions of a run: an abstract", "/questions?run={made}&part=abstracts", ALL),
    Screen("questions of a run: validation", "/questions?run={made}&part=validate"),
    Screen("texts: list", "/texts"),
    Screen("graphs from texts: list", "/readings"),
    Screen("verdicts: list", "/verdicts"),
    Screen("verdicts: judges", "/verdicts?show=audit", press=(("text", "Labels: judge and person"),)),
    Screen(
        "verdicts: judges against each other",
        press=(("radio", "Each other"), ("text", "Labels: first and second")),
    ),
    Screen("verdicts: a sheet", "/verdicts?sheet={verdict}", ALL),
    Screen("agreement: annotators", "/agreement"),
    Screen("agreement: raters", "/agreement?part=raters"),
    Screen("graphs: list", "/graphs", ALL),
    Screen("graphs: generate", press=(("button", "Generate graph"),)),
    Screen("graph", "/graphs?graph={graph}", ALL),
    *(Screen(f"graph: {part}", press=(("radio", part),)) for part in LAB_PARTS),
    Screen("graph: loops by its link", "/graphs?graph={graph}&part=Loops", ALL),
    Screen("graph: a model's reply", "/graphs?graph={graph}&part=Queries&kind=child&of={node}&asked={asked}", ALL),
    Screen("two graphs", "/graphs?graph={graph}&with={other}", ("image",)),
    *(Screen(f"two graphs: {part}", press=(("radio", part),)) for part in ("Scores", "Names", "Elements")),
    Screen("runs: list", "/runs"),
    Screen("runs: a new one", "/runs?show=new&protocol=econcausal"),  # the form keeps what was chosen before
    Screen("runs: dry run", press=(("button", "Start dry run"), ("text", "Parameters and prompts"))),
    Screen("runs: relations from abstracts", "/runs?show=new&protocol=lee-pipeline"),
    Screen("runs: relations from abstracts, dry run", press=(("button", "Start dry run"),)),
    Screen("runs: questions", "/runs?show=new&protocol=lee", CUT),
    Screen("runs: figures", "/runs?show=new&protocol=figure-reading&figures=all"),
    Screen("runs: queries", "/runs?show=new&protocol=causalgraph2llm"),
    Screen("runs: prompts", press=(("button", "Start dry run"), ("text", "Prompts by encoding"))),
    Screen("run", "/runs?run={run}", CUT),
    Screen("run: card", "/runs?run={run}&part=card"),
    Screen("run: baselines", "/runs?run={baselines}"),
    Screen("run: steps", "/runs?run={pipeline}&part=steps"),
    Screen("models", "/runs?show=models", ("image",)),
    Screen("model", "/runs?show=models&model={card}", ("image",)),
    Screen("endpoints", "/runs?show=endpoints"),
    Screen("endpoint", "/runs?show=endpoints&endpoint=lab"),
    Screen("failures: list", "/failures?run={run}&only=all"),
    Screen("failures: an answer", "/failures?run={run}&only=all&item={item}", ALL),
    Screen("failures: a query's answer", "/failures?run={asked}&only=all&item={reply}", ALL),
    Screen("failures: two models", "/failures?show=compare"),
    Screen("failures: samples", "/failures?show=samples&run={run}"),
    Screen("failures: codes", "/failures?show=codes"),
    Screen("results", "/results?run={number}"),
    Screen("results: intervals", "/results?run={number}&says=interval"),
    Screen("results: calibration", "/results?run={number}&table=calibration"),
    Screen("results: queries", "/results?run={asked}"),
    Screen("releases", "/releases", CUT),
    Screen("release", "/releases?release=1", ALL),
    Screen("exchange: graphs", "/exchange"),
    Screen("exchange: files to mend", press=(("files", ""),)),
    Screen("exchange: triplets", "/exchange?part=triplets"),
    Screen("exchange: a collection", "/exchange?part=triplets&collection={collection}", ALL),
    Screen("question sets", "/questions", CUT),
    Screen("people", "/people", ALL),
    Screen("account", "/people?part=account"),
    Screen("guidelines", "/people?part=guidelines", ALL),
    Screen("credit", "/people?part=credit"),
    Screen("identities", "/people?part=identities"),
    Screen("settings", "/settings"),
    Screen("settings: figures", "/settings?show=figures"),
    Screen("settings: proposals", "/settings?show=proposals", ("image",)),
    Screen("settings: triplets", "/settings?show=triplets"),
    Screen("settings: verdicts", "/settings?show=verdicts"),
)


def visits(part: int, parts: int) -> list[list[Screen]]:
    """Links, each with what is pressed behind it, of one of several walks: of each page every so many, spread evenly.

    So a walk can nearly always go the way of the browser's back button, which is quick: within one page, what was
    chosen there last would outlive the link.
    """
    found: list[list[Screen]] = []
    for screen in SCREENS if IS_WHOLE else [screen for screen in SCREENS if screen.name in USUAL]:
        if screen.link:
            found.append([screen])
        else:
            found[-1].append(screen)
    pages: dict[str, list[list[Screen]]] = {}
    for visit in found:
        pages.setdefault(urlsplit(visit[0].link).path, []).append(visit)
    taken = [of_page[(part + number) % parts :: parts] for number, of_page in enumerate(pages.values())]
    spread = [((place + 0.5) / len(mine), visit) for mine in taken for place, visit in enumerate(mine)]
    return [visit for _place, visit in sorted(spread, key=lambda one: one[0])]
