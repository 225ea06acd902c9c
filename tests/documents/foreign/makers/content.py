"""What the figures of the foreign corpus say: variable names of several subjects, and seeded causal graphs of them.

Every maker takes its names and edges from here, so that a figure's truth is what its program was given.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

SUBJECTS = {
    "fishery": "Spawning stock|Larval survival|Trawler fleet|Landings|Quota compliance|Bycatch|Sea surface temperature|"
    "Fuel subsidies|Port revenue|Illegal fishing|Reef health|Plankton bloom|Juvenile fish|Ex-vessel price|"
    "Gear selectivity|Tourist dives|Patrol hours",
    "public health": "Sedentary time|Body mass index|Insulin resistance|Sleep duration|School meals|Sugary drinks|"
    "Walkability|Screen time|Blood pressure|Health literacy|GP visits|Medication adherence|Shift work|Loneliness|"
    "Alcohol intake|Depressive symptoms|Family meals|Food insecurity",
    "epidemic": "Contact rate|Exposed travellers|Active cases|Mask wearing|Testing capacity|Hospital admissions|"
    "ICU occupancy|Staff absence|Vaccine uptake|Rumours|Risk perception|Lockdown strictness|Compliance fatigue|"
    "Immunity waning|Wastewater signal|Contact tracing backlog",
    "energy": "Solar capacity|Grid congestion|Spot price|Battery storage|Curtailment|Feed-in tariff|Learning effects|"
    "Module cost|Heat pumps|Peak load|Gas imports|Carbon price|Permit delays|Local acceptance|Wind auctions|"
    "Network charges|Prosumers",
    "city": "Bus ridership|Fare revenue|Service frequency|Parking supply|Car ownership|Cycling lanes|Commute time|"
    "Urban sprawl|Land price|Shop vacancies|Street noise|Air pollution|Office density|Remote work|Road deaths|"
    "Housing starts|Public space",
    "software": "Code reviews|Unit tests|Open defects|Release pressure|Refactoring|Onboarding time|Build failures|"
    "Team morale|Feature requests|Hotfixes|Documentation|Deployment frequency|Incident load|Architecture erosion|"
    "Senior developers|Meeting hours",
    "economy": "Policy rate|Consumer credit|Wage growth|Core inflation|Exchange rate|Export orders|Investment|"
    "Household debt|Unemployment|Business confidence|Import prices|Bank lending|Public deficit|Bond yields|"
    "Labour supply|Productivity|Savings ratio|Insolvencies",
    "farming": "Nitrogen input|Soil carbon|Earthworms|Pest pressure|Pesticide use|Resistance|Crop rotation|Yield|"
    "Farm debt|Land rent|Fallow area|Pollinators|Manure surplus|Milk price|Herd size|Feed imports|Drought days",
    "water": "River discharge|Reservoir level|Irrigation demand|Well depth|Salinity|Leakage|Water tariff|Wetland area|"
    "Nutrient load|Algal blooms|Fish kills|Dredging|Flood peak|Levee height|Settlement in floodplain|Insurance claims",
    "school": "Class size|Teacher turnover|Parental support|Reading practice|Exam pressure|Truancy|Homework|Tutoring|"
    "Self-efficacy|Grade retention|Peer effects|School funding|Bullying|Motivation|Attendance|Test scores",
    "climate": "Sea ice extent|Surface albedo|Permafrost thaw|Methane release|Cloud cover|Radiative forcing|"
    "Ocean heat uptake|Boreal fires|Black carbon|Evaporation|Snow depth|Aerosol load|Glacier melt|Sea level|"
    "Forest dieback|Carbon sink",
    "hospital": "Bed occupancy|Waiting list|Theatre slots|Nurse overtime|Agency staff|Length of stay|Readmissions|"
    "Discharge delays|Care home places|Ambulance queue|Sick leave|Infections|Triage time|Outpatient visits|"
    "Patient complaints|Ward transfers",
    "security": "Patrol presence|Burglaries|Street lighting|Youth clubs|Drug market|Prison population|Reoffending|"
    "Police trust|Reporting rate|Guardianship|Alcohol outlets|Vacant homes|Gang rivalry|Arrests|Court backlog",
    "platform": "Active sellers|Active buyers|Listing quality|Fake reviews|Moderation effort|Commission fee|Churn|"
    "Search ranking|Ad spending|Network effects|Refunds|Delivery time|Brand trust|Data collected|Investor funding",
    "birth cohort": "Maternal smoking|Birth weight|Gestational age|Parity|Maternal age|Preeclampsia|Infant mortality|"
    "Breastfeeding|Household income|Prenatal care|Asthma|Folic acid|Genetic risk|Air quality|Neighbourhood|Education",
    "bank": "Deposits|Liquidity|Interbank rate|Credit rating|Loan losses|Fire sales|Asset prices|Margin calls|"
    "Capital ratio|Dividends|Funding cost|Regulation|Leverage|Withdrawals|Public confidence|Collateral value",
}
"""Some 260 names that variables of causal diagrams have, by subject."""

EDGE_WORDS = ("weak", "strong", "in cities", "if funded", "direct")


@dataclass
class Edge:
    source: int
    sink: int
    sign: str = ""
    delay: bool = False
    word: str = ""
    dashed: bool = False


@dataclass
class Diagram:
    """Names, edges and named groups of places in `names`; `rng` draws whatever else a maker decides by chance."""

    seed: int
    names: list[str]
    edges: list[Edge]
    groups: dict[str, list[int]] = field(default_factory=dict)
    rng: random.Random = field(default_factory=random.Random, repr=False)

    def truth(self) -> dict[str, object]:
        """The part of a figure's truth file that tells what is printed."""
        edges = [
            {
                "source": self.names[edge.source],
                "sink": self.names[edge.sink],
                "sign": edge.sign or None,
                "delay": edge.delay,
            }
            for edge in self.edges
        ]
        words = sorted({edge.word for edge in self.edges if edge.word})
        return {"names": self.names, "edges": edges, "groups": list(self.groups), "edge_words": words}


@dataclass(frozen=True, kw_only=True)
class Content:
    """What a figure is about: `subjects` whose names it takes, how many `names` and `edges`; shares of edges with a
    sign, a delay, a word or dashes; `groups` by name; `mutual` pairs that cause each other; how names are `spelt`."""

    subjects: tuple[str, ...]
    names: int
    edges: int
    signed: float = 0.0
    delayed: float = 0.0
    worded: float = 0.0
    dashed: float = 0.0
    groups: tuple[str, ...] = ()
    mutual: int = 0
    spelt: str = "as listed"
    tree: bool = False


def diagram(content: Content, seed: int) -> Diagram:
    """A connected graph in which most edges join near places of a ring, as in diagrams that people lay out."""
    rng = random.Random(f"foreign {seed}")
    listed = [name for subject in content.subjects for name in SUBJECTS[subject].split("|")]
    names = [_spelt(name, content.spelt) for name in rng.sample(listed, content.names)]
    pairs = _pairs(rng, content)
    edges = []
    for source, sink in pairs:
        sign = rng.choice("++-") if rng.random() < content.signed else ""
        delay = rng.random() < content.delayed
        word = rng.choice(EDGE_WORDS) if not sign and not delay and rng.random() < content.worded else ""
        edges.append(Edge(source, sink, sign, delay, word, rng.random() < content.dashed))
    return Diagram(seed, names, edges, _groups(content), rng)


def _pairs(rng: random.Random, content: Content) -> list[tuple[int, int]]:
    count, pairs = content.names, []
    for place in range(1, count):
        other = rng.randrange(max(0, place - 4), place)
        pairs.append((other, place) if content.tree or rng.random() < 0.65 else (place, other))
    twins = rng.sample(pairs, content.mutual)
    pairs += [(sink, source) for source, sink in twins]
    while len(pairs) < content.edges:
        source = rng.randrange(count)
        step = rng.choice((1, 2, 2, 3, 3, 4, 5, -1, -2, -3, -4, -5))
        sink = (source + step) % count
        known = {frozenset(pair) for pair in pairs}
        if sink != source and frozenset((source, sink)) not in known:
            pairs.append((min(source, sink), max(source, sink)) if content.tree else (source, sink))
    return pairs


def _groups(content: Content) -> dict[str, list[int]]:
    """Neighbouring places, all but the last few names in one of them."""
    if not content.groups:
        return {}
    size = (content.names - 2) // len(content.groups)
    return {name: list(range(at * size, (at + 1) * size)) for at, name in enumerate(content.groups)}


def _spelt(name: str, how: str) -> str:
    if how == "lower":
        return " ".join(word if word.isupper() else word.lower() for word in name.split())
    if how == "title":
        return " ".join(word[0].upper() + word[1:] for word in name.split())
    if how == "capitals":
        return name.upper()
    if how == "snake":
        return name.lower().replace(" ", "_").replace("-", "_")
    return name


def wrapped(name: str, longest: int) -> list[str]:
    """The lines of a name that breaks between words."""
    lines = [""]
    for word in name.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > longest:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def label(edge: Edge, minus: str = "−", delay: str = "||") -> str:
    """What a maker prints at an edge: its sign, its delay mark, a word, or nothing."""
    sign = minus if edge.sign == "-" else edge.sign
    return " ".join(part for part in (sign, delay if edge.delay else "", edge.word) if part)
