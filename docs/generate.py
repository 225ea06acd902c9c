"""Writes the generated sections of the guides, and the tables that scripts import: `python docs/generate.py`.

A section is between `<!-- generated: name -->` and `<!-- end of name -->`. tests/test_docs.py compares all of them.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import typer  # noqa: E402

import edgewise  # noqa: E402
from components.adjudication import keys as adjudication_keys  # noqa: E402
from components.canvas import keys as canvas_keys  # noqa: E402
from components.contact_sheet import keys as contact_sheet_keys  # noqa: E402
from components.desk.key_table import KeyTable  # noqa: E402
from components.edge_list import keys as edge_list_keys  # noqa: E402
from components.texts import keys as texts_keys  # noqa: E402
from components.texts.labels import keys as label_keys  # noqa: E402
from components.triplets import keys as triplets_keys  # noqa: E402
from components.verdicts import keys as verdicts_keys  # noqa: E402
from core.analysis.frame import COLUMNS, GROUPS  # noqa: E402
from core.graphs import bounds  # noqa: E402
from core.graphs.edge import Edge, EdgeFlag  # noqa: E402
from core.graphs.graph import CausalGraph  # noqa: E402
from core.graphs.layouts.layout import Point  # noqa: E402
from core.graphs.lines.line_reading import LONGEST_LINE  # noqa: E402
from core.graphs.lines.parse import parse_lines  # noqa: E402
from core.people import PERMISSIONS, Permission, Role  # noqa: E402
from core.sign import Sign  # noqa: E402
from docs.guide_tables import cell, code, table  # noqa: E402
from docs.measured import (  # noqa: E402
    keystrokes_table,
    promises_table,
    proofs_table,
    published_errors_table,
    ratios_table,
    recite_table,
    soak_section,
)
from documents.limits import Limits  # noqa: E402
from exchange.forms import FACTS, GraphForm  # noqa: E402
from exchange.graphs import lost_in  # noqa: E402
from exchange.reference_entries import MOST_ENTRIES  # noqa: E402
from protocols import PROTOCOLS  # noqa: E402
from services.exchange import uploads  # noqa: E402
from services.people import invitations, passwords  # noqa: E402
from services.transcription import guidelines, transcribing  # noqa: E402
from services.transcription.editing import MOST_EDGES  # noqa: E402
from settings import read_settings  # noqa: E402
from store import sessions  # noqa: E402

DOCUMENTS = (
    "README.md",
    "docs/user-guide.md",
    "docs/command-line.md",
    "docs/graphs.md",
    "docs/results.md",
    "docs/proposals.md",
    "docs/speed.md",
    "docs/maintainers-guide.md",
    "docs/fidelity.md",
    "docs/trust.md",
    "docs/verdicts.md",
)

# --- contents ---------------------------------------------------------------------------------------------------


def contents(name: str) -> str:
    """Return the numbered links to a guide's sections, in lines of at most 120 characters."""
    headings = re.findall(r"^## (.+)$", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    lines = [""]
    for number, heading in enumerate(headings, 1):
        # With a plain space, a line that begins with a number would be an item of a list.
        link = f"{number}.\u00a0[{heading}](#{anchor(heading)})"
        if len(lines[-1]) + len(link) > 116:
            lines.append("")
        lines[-1] += f"{link} · "
    return "\n".join(line.rstrip() for line in lines).removesuffix(" ·")


def anchor(heading: str) -> str:
    """Return the address of a heading within its page, as GitHub forms it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


# --- settings ---------------------------------------------------------------------------------------------------

SETTINGS = {
    "EDGEWISE_HOME": ("folder for studies and caches", "`edgewise` in your system's folder for user data"),
    "EDGEWISE_STORE": ("the study: path of a SQLite file, or a PostgreSQL URL", "`demo.edgewise` in `EDGEWISE_HOME`"),
    "STREAMLIT_SERVER_PORT": ("port of `serve` and `make app`", f"`{read_settings({}).port}`"),
    "EDGEWISE_LOCAL": ("`1`: the study opens signed in as its owner (what `serve --local` sets)", "off"),
    "EDGEWISE_BEHIND_PROXY": ("`1`: the server is behind a proxy with TLS and may listen on other addresses", "off"),
    "EDGEWISE_ALLOWED_HOSTS": ("host names served behind the proxy, separated by commas", "this computer's names only"),
    "EDGEWISE_EVERYTHING": ("`1`: `make test` also runs what tests/held_back.txt lists", "off"),
    "EDGEWISE_CHROMIUM": (
        "the browser that tests and `make pictures` drive",
        "`chromium-headless-shell`, else `/usr/bin/chromium`",
    ),
}


def settings_table() -> str:
    rows = [(f"`{name}`", what, default) for name, (what, default) in SETTINGS.items()]
    return table(("variable", "what it sets", "if it is not set"), rows)


def numbers_table() -> str:
    limits = Limits()
    hours, days = sessions.IDLE.total_seconds() / 3600, sessions.LIFETIME.days
    rows = [
        ("a session ends after", f"{hours:.0f} hours without a click, {days} days at most"),
        ("a link to join or to set a password", f"works once, for {invitations.LIFETIME.days} days"),
        ("a password has at least", f"{passwords.SHORTEST} characters"),
        ("a paper's file", f"at most {limits.max_bytes // 1_000_000} MB and {limits.max_pages} pages"),
        ("papers and references added at once", f"at most {uploads.PAPERS}"),
        ("files to import at once", f"at most {uploads.IMPORTS}"),
        ("files on all open pages of one person", f"at most {uploads.OF_A_PERSON // uploads.MB} MB"),
        ("a transcription", f"at most {MOST_EDGES:,} edges"),
        ("one paste", f"at most {transcribing.LONGEST_TEXT:,} characters, {LONGEST_LINE:,} per line"),
        (
            "a graph of a file",
            f"at most {bounds.MOST_EDGES:,} edges, {bounds.MOST_NODES:,} nodes, {bounds.MOST_ROWS:,} rows and "
            f"{bounds.MOST_FAULTS:,} faulty rows",
        ),
        ("all graphs of one file", f"at most {bounds.MOST_TOGETHER:,} nodes and edges together"),
        ("a file of references", f"at most {MOST_ENTRIES:,} entries"),
        ("guidelines", f"at most {guidelines.LONGEST:,} characters per version"),
    ]
    return table(("what", "how much"), rows)


# --- roles ------------------------------------------------------------------------------------------------------


def frame_table() -> str:
    every = {**COLUMNS, **{f"{group}…": told for group, told in GROUPS.items()}}
    return table(("column", "what it holds"), [(code(name), cell(told)) for name, told in every.items()])


def permissions_table() -> str:
    roles = list(Role)
    rows = [(act.value, *("yes" if act in PERMISSIONS[role] else "–" for role in roles)) for act in Permission]
    return table(("may", *(role.value for role in roles)), rows)


# --- the typed line ---------------------------------------------------------------------------------------------

TAKEN = (
    ("Price -> Demand", "one edge"),
    ("Price --> Demand", "longer arrows and drawn ones (→ ⇒ =>) are arrows too"),
    ("Demand <- Price", "read from right to left"),
    ("Rain -> Harvest; River level", "several sinks, separated by `;`"),
    ("Price -> Demand -> Sales", "a chain"),
    ("Price ->- Demand", "with its sign: `->+` or `->-`"),
    ("Price -> Demand (-)", "the sign in brackets at the end"),
    ("Trust <-> Cooperation", "both directions"),
    ("Births, per year -> Population", "a comma never splits a name"),
    ('"NH4->NO3 rate" -> Yield', "quotes around a name that contains an arrow or a `;`"),
    ('"the ""rebound"" effect" -> Use', "a quote inside quotes is doubled"),
    ('- "Price" -> "Demand"', "a list mark before quoted names is left out"),
)
REFUSED = (
    "Price->Demand",
    "NH4->NO3 rate -> Yield",
    "A; B -> C",
    "Price ->? Demand",
    "Price -> + Demand",
    'Price -> "Demand',
    "Price",
    "Price ->",
    "1. Price -> Demand",
)


def grammar_table() -> str:
    return table(("you type", "what it means", "edges"), [(code(line), why, edges_of(line)) for line, why in TAKEN])


def edges_of(line: str) -> str:
    parsed = parse_lines(line)
    if parsed.faults:
        raise ValueError(f"{line} is shown as taken, but: {parsed.faults[0].message}")
    shown = (f"{e.source} → {e.sink}" + (f" ({e.sign.value})" if e.sign else "") for e in parsed.edges)
    return "<br>".join(cell(edge) for edge in shown)


def refused_table() -> str:
    rows = []
    for line in REFUSED:
        (fault,) = parse_lines(line).faults
        rows.append((code(line), cell(fault.message), code(fault.offer) if fault.offer else "–"))
    return table(("you type", "what the screen says", "suggestion"), rows)


def canvas_table() -> str:
    return keys_table(canvas_keys.KEY_TABLE)


def ruling_table() -> str:
    return keys_table(adjudication_keys.KEY_TABLE)


def scoring_table() -> str:
    return keys_table(triplets_keys.KEY_TABLE)


def verdicts_table() -> str:
    return keys_table(verdicts_keys.KEY_TABLE)


def texts_table() -> str:
    return keys_table(texts_keys.KEY_TABLE)


def sheet_table() -> str:
    return keys_table(contact_sheet_keys.KEY_TABLE)


def edge_list_table() -> str:
    """Return the keys of the edge list without the syntax of its line, which the guide explains at length."""
    return keys_table(edge_list_keys.KEY_TABLE, "where", left_out=edge_list_keys.SYNTAX)


def keys_table(keys: KeyTable, first: str = "part", left_out: str = "") -> str:
    """Return a desk's table of keys, as on its `?` sheet; `first` heads the column of its sections."""
    rows, last = [], ""
    for key in keys.keys:
        if key.section != left_out:
            rows.append((key.section if key.section != last else "", cell(key.keys), cell(key.does)))
        last = key.section
    return "\n\n".join(filter(None, (table((first, "key", "does"), rows), keys.note)))


# --- formats ----------------------------------------------------------------------------------------------------

EVERYTHING = CausalGraph.of(
    [Edge("A", "B", Sign.PLUS, True, "seen", EdgeFlag.AMBIGUOUS_ARROW), Edge("A", "B", Sign.MINUS)], nodes=["alone"]
)
FORMS = {
    GraphForm.STANDARD: 'one `"source" -> "sink"` per line, as in ReCITE; without edges, the names in quotes',
    GraphForm.ARROWS: "the same with `->+` and `->-`; a quoted name alone is a node",
    GraphForm.CSV: "one row per edge, exactly; for programs",
    GraphForm.SAFE_CSV: "no cell can run as a formula",
    GraphForm.TSV: "CSV with tabs",
    GraphForm.XLSX: "two sheets, edges and nodes; every cell is text",
    GraphForm.JSON: '`{"nodes": [...], "edges": [{"source", "sink", "sign"}]}`, also with `links`, `target`',
    GraphForm.RELATIONSHIPS: '`{"relationships": [{"source", "sink"}]}`, as models answer',
    GraphForm.KUMU_JSON: "elements and connections, as kumu.io imports and exports them",
    GraphForm.KUMU_XLSX: "the sheets Elements and Connections",
    GraphForm.GRAPHML: "for yEd, NetworkX, igraph",
    GraphForm.GEXF: "for Gephi; version 1.3, 1.1 and 1.2 are read",
    GraphForm.DOT: "for Graphviz; directed graphs",
    GraphForm.VENSIM: "the sketch of a `.mdl`; flows are edges into and out of their stocks; places in whole pixels",
    GraphForm.XMILE: "connectors and flows of Stella and other programs",
    GraphForm.BIF: "structure of a Bayesian network, without its tables; no cycles",
    GraphForm.DAGITTY: "code of dagitty.net and the R package; no cycles",
    GraphForm.LOOPY: "the share link of ncase.me/loopy, pasted or in a file; every arrow needs its sign",
    GraphForm.MERMAID: "a flowchart, alone or in a fence of a Markdown file; `---` has no direction",
}


def forms_table() -> str:
    places = {"A": Point(0, 0)}
    rows = [
        (
            FACTS[form].words,
            f"`{form.value}`",
            " ".join(FACTS[form].suffixes),
            why,
            ", ".join(lost_in(EVERYTHING, form, places)) or "nothing",
        )
        for form, why in FORMS.items()
    ]
    return table(("format", "name for `--to` and `--format`", "files", "what it contains", "leaves out"), rows)


# --- the command line -------------------------------------------------------------------------------------------


def command_reference() -> str:
    group = typer.main.get_command(edgewise.app)
    return "\n\n".join(_commands(group, "edgewise.py"))


def _commands(command: object, name: str) -> Iterable[str]:
    inner = getattr(command, "commands", None)
    if inner is not None:
        for word, each in inner.items():
            yield from _commands(each, f"{name} {word}")
        return
    arguments, options = [], []
    for param in command.get_params(typer.Context(command)):  # type: ignore[attr-defined, arg-type]
        if param.name == "help":
            continue
        if param.param_type_name == "argument":
            word = param.metavar or param.name.upper() + (" …" if param.nargs == -1 else "")
            arguments.append(word if param.required else f"[{word}]")
        else:
            words = " / ".join(f"`{word}`" for word in (*param.opts, *param.secondary_opts))
            options.append((words, _help(param), _default(param)))
    head = f"## `{' '.join([name, *arguments])}`\n\n{cell(' '.join((command.help or '').split()))}"  # type: ignore[attr-defined]
    yield f"{head}\n\n{table(('option', 'what it does', 'default'), options)}" if options else head


def _default(param: object) -> str:
    if getattr(param, "required", False):
        return "needed"
    value = getattr(param, "default", None)
    if value is True:
        return f"`{param.opts[0]}`"  # type: ignore[attr-defined]
    return "–" if value in (None, False, "") or callable(value) else f"`{value}`"


def _help(param: object) -> str:
    """Return the help of an option, with the words that it accepts if these are limited."""
    words = getattr(getattr(param, "type", None), "choices", ())
    choices = ", ".join(f"`{getattr(word, 'value', word)}`" for word in words)
    panel = getattr(param, "rich_help_panel", None)
    return (
        (f"*{panel.rstrip('.')}.* " if panel else "")
        + cell(str(getattr(param, "help", "") or ""))
        + (f" One of {choices}." if choices else "")
    )


# --- writing ----------------------------------------------------------------------------------------------------

ELSEWHERE = (
    ("ReCITE", "Figure 5", "**Failures**, an answer: both graphs in one picture"),
    ("ReCITE", "Table 9", "**Verdicts** → Judges, calibration by the model's family"),
    ("ReCITE", "Tables 20 and 21", "**Agreement** → Annotators"),
    (
        "Lee et al.",
        "Tables 1, 2, 9 and 10",
        "**Runs** → the summary of a run of relations and questions from abstracts",
    ),
    ("Lee et al.", "Table 8", "**Agreement** → Raters"),
    ("EconCausal", "Table 4", "**Agreement** → Raters"),
    ("ReCITE", "Table 22", "not computed: TEA-GLM reads the inner states of a model"),
    ("CausalGraph2LLM", "Table 7", "not computed: fine-tuning happens elsewhere; questions are exported for it"),
)
"""Tables and figures of papers that are no preset."""
_OF_PAPER = re.compile(r"\((?:ReCITE, )?([^()]*(?:Table|Figure|appendix|appendices)s?[^();,]*[^();]*)")


def papers_table() -> str:
    """Tables and figures of the papers, by paper, and where they are."""
    rows = [
        (protocol.short_title, match[1].strip(), f"**Results** → {cell(preset.title)}, {code(preset.key)}")
        for protocol in PROTOCOLS.values()
        for preset in protocol.tables.presets.values()
        if (match := _OF_PAPER.search(preset.told))
    ]
    ordered = sorted(
        (*rows, *ELSEWHERE),
        key=lambda row: (row[0], "appendi" in row[1], [int(n) for n in re.findall(r"\d+", row[1])], row[1]),
    )
    return table(("paper", "what it prints", "where"), ordered)


SECTIONS: dict[str, Callable[[], str]] = {
    "contents": lambda: contents("docs/user-guide.md"),
    "settings": settings_table,
    "numbers": numbers_table,
    "permissions": permissions_table,
    "grammar": grammar_table,
    "refused": refused_table,
    "canvas": canvas_table,
    "ruling": ruling_table,
    "scoring": scoring_table,
    "verdicts": verdicts_table,
    "texts": texts_table,
    "sheet": sheet_table,
    "labelling": lambda: keys_table(label_keys.KEY_TABLE),
    "keys": edge_list_table,
    "forms": forms_table,
    "keystrokes": keystrokes_table,
    "commands": command_reference,
    "frame": frame_table,
    "papers": papers_table,
    "ratios": ratios_table,
    "recite": recite_table,
    "promises": promises_table,
    "soak": soak_section,
    "proofs": proofs_table,
    "slips": published_errors_table,
}
_SECTION = re.compile(r"(<!-- generated: (?P<name>\w+) -->\n).*?(<!-- end of (?P=name) -->)", re.DOTALL)


def regenerated(document: str) -> str:
    """Return the document with its generated sections updated."""
    return _SECTION.sub(lambda found: f"{found[1]}\n{SECTIONS[found['name']]()}\n\n{found[3]}", document)


# --- tables that scripts import ---------------------------------------------------------------------------------

# modules made from Python's tables of keys, so that desk, test and guide share one table
KEY_TABLES = {
    "components/canvas/key_table.js": canvas_keys.KEY_TABLE,
    "components/edge_list/key_table.js": edge_list_keys.KEY_TABLE,
    "components/adjudication/key_table.js": adjudication_keys.KEY_TABLE,
    "components/texts/key_table.js": texts_keys.KEY_TABLE,
    "components/texts/labels/key_table.js": label_keys.KEY_TABLE,
    "components/triplets/key_table.js": triplets_keys.KEY_TABLE,
    "components/verdicts/key_table.js": verdicts_keys.KEY_TABLE,
    "components/contact_sheet/key_table.js": contact_sheet_keys.KEY_TABLE,
}


def script(name: str) -> str:
    """Return the text of module `name` of KEY_TABLES."""
    key_table = asdict(KEY_TABLES[name])
    rows = [f"    {json.dumps(row, ensure_ascii=False)}," for row in key_table.pop("keys")]
    heads = [f"  {part}: {json.dumps(value, ensure_ascii=False)}," for part, value in key_table.items()]
    room = Path(name).parent
    to_desk = "../" * (len(room.parts) - 1) + "desk"
    lines = [
        f"// Made from {room.as_posix()}/keys.py by `python docs/generate.py`; a test compares the two.",
        "",
        f'/** @type {{import("{to_desk}/types.d.ts").KeyTable}} */',
        "export const KEY_TABLE = {",
        *heads,
        "  keys: [",
        *rows,
        "  ],",
        "};",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for name in KEY_TABLES:
        (ROOT / name).write_text(script(name), encoding="utf-8")
    for name in DOCUMENTS:
        path = ROOT / name
        path.write_text(regenerated(path.read_text(encoding="utf-8")), encoding="utf-8")
