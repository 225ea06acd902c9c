"""Venues of papers: stored as a file spells them, and grouped under one name for counting."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

ECONOMICS, FINANCE = "economics", "finance"

# EconCausal's eight journals and the domain of each.
JOURNALS: Mapping[str, str] = MappingProxyType(
    {
        "American Economic Review": ECONOMICS,
        "Econometrica": ECONOMICS,
        "Journal of Political Economy": ECONOMICS,
        "Quarterly Journal of Economics": ECONOMICS,
        "Review of Economic Studies": ECONOMICS,
        "Journal of Finance": FINANCE,
        "Journal of Financial Economics": FINANCE,
        "Review of Financial Studies": FINANCE,
    }
)


def folded_venue(printed: str) -> str:
    """Return one form for all spellings of a venue: NFKC, lower case, underscores as blanks, "&" as "and", no leading
    "the".

    >>> folded_venue("american_economic_review"), folded_venue(" The American  Economic Review")
    ('american economic review', 'american economic review')
    """
    plain = unicodedata.normalize("NFKC", printed).casefold().replace("_", " ").replace("&", " and ")
    return re.sub(r"^the ", "", " ".join(plain.split()))


_NAMES = {folded_venue(name): name for name in JOURNALS}


def venue_name(printed: str) -> str:
    """Return the name under which a venue is counted: a journal's own, else the folded form.

    >>> venue_name("quarterly_journal_of_economics"), venue_name("Journal of_Trees")
    ('Quarterly Journal of Economics', 'journal of trees')
    """
    folded = folded_venue(printed)
    return _NAMES.get(folded, folded)


def domain_of(printed: str) -> str:
    """ "economics" or "finance" for one of the eight journals; empty for any other venue, whose domain is not known.

    >>> domain_of("journal_of_finance"), domain_of("Nature")
    ('finance', '')
    """
    return JOURNALS.get(venue_name(printed), "")
