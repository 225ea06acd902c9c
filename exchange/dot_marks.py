"""Attributes of DOT and DAGitty: notes, and attributes that only affect drawing."""

from __future__ import annotations

import re
import unicodedata

DRAWING = frozenset(
    re.findall(
        r"\w+",
        """
        arrowhead arrowsize arrowtail bb bgcolor center class clusterrank color colorscheme concentrate constraint
        decorate dir distortion dpi edgehref edgetarget fillcolor fixedsize fontcolor fontname fontnames fontpath
        fontsize forcelabels gradientangle group headclip headport head_lp height id image imagepath imagepos
        imagescale inputscale K labelangle labeldistance labelfloat labelfontcolor labelfontname labelfontsize
        labeljust labelloc layer layout len lhead lp ltail margin maxiter minlen model nodesep nojustify normalize
        ordering orientation overlap pack packmode pad page pagedir penwidth peripheries pin pos quadtree rank rankdir
        ranksep ratio regular resolution root rotate samehead sametail samplepoints scale sep shape shapefile showboxes
        sides size skew sortv splines start style stylesheet tailclip tailport tail_lp target truecolor vertices
        viewport voro_margin width xlp z _background _draw_ _ldraw_ _hdraw_ _tdraw_ _hldraw_ _tldraw_
        """,
    )
)
"""Graphviz's drawing attributes; `weight`, `tooltip` and `URL` may be content."""

_ESCAPES = {"\n": "\\n", "\r": "\\r"}
_ESCAPED = re.compile(r"\\(?:u((?!d[89a-f])[0-9a-f]{4})|(.))", re.DOTALL)  # d800 to dfff are no characters


def escaped_note(note: str) -> str:
    r"""Return a note on one line, valid in both languages: line ends as \n and \r, a backslash and control characters
    as \u and four digits.

    >>> print(escaped_note("page 3" + chr(10) + "C:" + chr(92)))
    page 3\nC:\u005c
    """
    return "".join(_escaped(character) for character in note)


def unescaped_note(text: str) -> str:
    """Return the note that `escaped_note` wrote; a backslash before anything else stays."""
    return _ESCAPED.sub(_unescaped, text)


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character == "\\" or unicodedata.category(character) == "Cc" or character in "\u2028\u2029":
        return f"\\u{ord(character):04x}"
    return character


def _unescaped(match: re.Match[str]) -> str:
    if match.group(1):
        return chr(int(match.group(1), 16))
    return {"n": "\n", "r": "\r"}.get(match.group(2), match.group())
