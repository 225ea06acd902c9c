"""The three demonstration papers: their words and their true diagrams, as values. All systems are invented.

Positions are points inside the figure, origin top left. Text and diagrams are Edgewise's, released as CC0 1.0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

LICENCE = "CC0-1.0"


@dataclass(frozen=True, slots=True)
class DemoNode:
    """A variable, printed as `lines` around (x, y); its name is the lines joined by spaces."""

    lines: tuple[str, ...]
    x: float
    y: float

    @property
    def name(self) -> str:
        return " ".join(self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoEdge:
    """An arrow between nodes by index."""

    source: int
    sink: int
    sign: Literal["", "+", "-"] = ""  # "": the figure prints none
    delay: bool = False
    bend: float = 0.0  # how far it bulges to its right, as a share of its length
    shift: float = 0.0  # points by which a straight arrow is moved to its right
    sign_inside: bool = False  # on the inner side of the bend, where there is more space


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPaper:
    """A paper of a few pages with one figure."""

    slug: str
    title: str
    year: int
    abstract: str
    sections: tuple[tuple[str, tuple[str, ...]], ...]
    caption: str
    look: Literal["boxes", "plain", "scan"]
    size: tuple[float, float]
    nodes: tuple[DemoNode, ...]
    edges: tuple[DemoEdge, ...]
    figure_after: int  # paragraphs set before the figure may appear


RESERVOIR = DemoPaper(
    slug="reservoir",
    title="Why new canals did not end the shortages: feedback in a shared reservoir",
    year=2023,
    abstract=(
        "A valley that enlarges its canals after every dry year can still run short of water more often. We describe "
        "the feedback behind this pattern for an invented valley with one reservoir, one association of farmers and "
        "one town downstream. When the reservoir is full, water seems secure and more land is put under irrigation; "
        "the demand that follows empties the reservoir again. Better harvests pay for better canals, which let the "
        "irrigated area grow further. The only brake that acts in time is social: when little water reaches the town, "
        "its complaints lower the quota of the farmers. The diagram has ten variables and thirteen links."
    ),
    sections=(
        (
            "Introduction",
            (
                "Reservoirs are built to make a dry year feel like an ordinary one. They succeed so well that the "
                "people who depend on them come to treat an ordinary year as a wet one. Twice in the history of our "
                "valley the gates were enlarged and the canals lined with concrete, and twice the shortages came back "
                "within a decade. Each time the drought was blamed, although rainfall had hardly changed.",
                "We argue that the shortages were made in the valley. The argument needs no equations. It rests on a "
                "causal loop diagram (Figure 1) drawn from the accounts that farmers, the keeper of the gates and the "
                "people of the town might give of the same twenty years.",
            ),
        ),
        (
            "How the loops work",
            (
                "Start with a good year. As the water stored in the reservoir rises, so does perceived water security. "
                "Farmers who trust the reservoir plough up pasture, and the area under irrigation grows. A larger area "
                "means a larger irrigation demand in the following summer, and demand is what opens the gates: more "
                "water is released to farms, and less stays behind the dam. This is a balancing loop, but a slow one. "
                "Fields, once levelled and planted with trees, are not given up in the first dry year. The level of "
                "the reservoir also acts on the gates directly, since by its own rules the association releases less "
                "when the lake is low.",
                "A second loop runs the other way. Water released to farms raises farm income. Part of that income "
                "is set aside, and after a few good harvests it becomes an investment in canals. Lined canals lose "
                "less water on the way, so that fields farther from the river can be reached; the area under "
                "irrigation grows again, and with it the demand. Every saving made by the engineers is turned into "
                "new fields. This is the loop that the valley’s plans did not contain.",
                "The third loop passes through the town. What goes to the farms does not reach the river below the "
                "dam, and downstream flow falls. After some weeks of smelling mud the mayor receives complaints from "
                "downstream users. If there are enough of them, the district lowers the release quota, and the gates "
                "close a little. The loop works within one season. It is the only one that does, and it works by "
                "making people unhappy.",
            ),
        ),
        (
            "What follows",
            (
                "Lining a canal saves water only if the saved water is kept. In this diagram nothing keeps it: each "
                "link from income to canals to area passes the saving on to demand. A cap on the irrigated area would "
                "cut that chain at its weakest point, and a quota tied to the level of the lake, announced before "
                "planting, would do by rule and in spring what complaints do by anger and in August.",
                "The diagram leaves out groundwater, prices and the weather. We left them out because the shortages "
                "can be explained without them, not because they do not matter. A reader who adds a well to every farm "
                "will find that the balancing loops grow slower still.",
            ),
        ),
    ),
    caption=(
        "Figure 1. Causal loop diagram of the shared reservoir. An arrow means that a change in the first variable "
        "changes the second. Polarities are not shown."
    ),
    look="boxes",
    size=(427, 262),
    nodes=(
        DemoNode(("Water stored", "in the reservoir"), 50, 140),
        DemoNode(("Perceived", "water security"), 50, 22),
        DemoNode(("Area under", "irrigation"), 214, 22),
        DemoNode(("Irrigation demand",), 214, 82),
        DemoNode(("Water released", "to farms"), 214, 140),
        DemoNode(("Farm income",), 378, 140),
        DemoNode(("Investment", "in canals"), 378, 22),
        DemoNode(("Downstream flow",), 378, 238),
        DemoNode(("Complaints from", "downstream users"), 214, 238),
        DemoNode(("Release quota",), 50, 238),
    ),
    edges=(
        DemoEdge(source=0, sink=1),
        DemoEdge(source=1, sink=2),
        DemoEdge(source=2, sink=3),
        DemoEdge(source=3, sink=4),
        DemoEdge(source=4, sink=0, shift=6),
        DemoEdge(source=0, sink=4, shift=6),
        DemoEdge(source=4, sink=5),
        DemoEdge(source=5, sink=6),
        DemoEdge(source=6, sink=2),
        DemoEdge(source=4, sink=7),
        DemoEdge(source=7, sink=8),
        DemoEdge(source=8, sink=9),
        DemoEdge(source=9, sink=4),
    ),
    figure_after=2,
)

HOSPITAL = DemoPaper(
    slug="waiting-lists",
    title="Why the waiting list came back: workload and delay in a small hospital",
    year=2024,
    abstract=(
        "Hospitals that clear a waiting list with extra sessions often find a list of the same length two years later. "
        "We trace this to two slow links in an invented hospital. People who wait too long arrive as emergencies, and "
        "emergencies take the beds that planned treatments need. Staff who work under pressure for too long leave, and "
        "the experience they take with them had kept the work manageable. Overtime helps at once and hides the harm. "
        "The causal loop diagram has nine variables and fourteen signed links, two of them with a marked delay."
    ),
    sections=(
        (
            "Introduction",
            (
                "A waiting list looks like a bathtub: patients flow in through referrals and out through treatments, "
                "and whoever wants a lower level must open the drain. The picture is right as far as it goes. It does "
                "not explain why the level so often returns to where it was after the drain has been opened wide.",
                "The hospital described here does not exist, but no single link in Figure 1 will surprise those who "
                "work in one that does. Our interest is in what the links do together. Two of them act only after "
                "months or years, and these two decide the outcome.",
            ),
        ),
        (
            "The structure",
            (
                "More referrals from general practice mean more patients waiting, and a longer list means a longer "
                "waiting time for each person on it. Doctors in general practice notice. When the waiting time grows "
                "they treat more people themselves or send them elsewhere, so that referrals fall. Treatments per "
                "week shorten the list directly, and they shorten the wait even for those whose turn has not come, "
                "because a list that visibly moves is booked more tightly.",
                "A long list is also work. Patients who wait must be written to, seen again and reassured, and staff "
                "workload rises with their number. The ward’s first answer is overtime. It is a good answer for a "
                "month: overtime worked adds to the treatments per week. But a workload that stays high wears people "
                "out. After a year or so the number of experienced staff falls, and since a team with fewer "
                "experienced members needs longer for the same tasks, the workload of those who remain rises again. "
                "With less experience on the ward fewer treatments are possible in a week.",
                "The other slow link leads through the emergency department. Some conditions do not wait. Months "
                "after the waiting time has begun to grow, emergency admissions grow as well; every admission leaves "
                "fewer beds free for planned care, and without beds the planned treatments are cancelled. The list "
                "grows because the list was long.",
            ),
        ),
        (
            "Consequences for practice",
            (
                "An extra session on Saturday pushes on the fastest link of the diagram and leaves both slow ones "
                "alone. It shortens the list until the first experienced nurse gives notice. Holding beds for planned "
                "care protects treatments from the emergency loop, at a price that is visible and therefore unpopular. "
                "Keeping staff costs nothing in the week in which it is decided and nothing can be shown for it until "
                "the second year.",
                "Readers may wish to extend the diagram with money. We found that funding makes the drain wider, but "
                "does not change which of the loops is slow.",
            ),
        ),
        (
            "What to watch",
            (
                "A hospital that wants to know which loop it is in need not measure all nine variables. The number of "
                "experienced staff and the share of beds taken by emergencies change before the list does, and both "
                "are counted already. If overtime rises while neither of them improves, the next list is on its way.",
                "The delays deserve the same attention as the numbers. In the accounts on which Figure 1 rests, the "
                "ward learned of a resignation on the day it was handed in; the decision had been made half a year "
                "earlier. A question asked in that half year would have been the cheapest of all the measures.",
            ),
        ),
    ),
    caption=(
        "Figure 1. Feedback behind a returning waiting list. A plus sign means that both variables change in the same "
        "direction, a minus sign that they change in opposite directions; two strokes across an arrow mark a delay."
    ),
    look="plain",
    size=(427, 300),
    nodes=(
        DemoNode(("Referrals from", "general practice"), 52, 72),
        DemoNode(("Patients", "waiting"), 205, 72),
        DemoNode(("Waiting time",), 370, 72),
        DemoNode(("Treatments", "per week"), 232, 172),
        DemoNode(("Staff workload",), 52, 160),
        DemoNode(("Overtime", "worked"), 140, 205),
        DemoNode(("Experienced", "staff"), 52, 270),
        DemoNode(("Emergency", "admissions"), 382, 180),
        DemoNode(("Beds free for", "planned care"), 312, 275),
    ),
    edges=(
        DemoEdge(source=0, sink=1, sign="+", bend=-0.14),
        DemoEdge(source=1, sink=2, sign="+", bend=-0.12, sign_inside=True),
        DemoEdge(source=2, sink=0, sign="-", bend=0.2),
        DemoEdge(source=3, sink=1, sign="-", bend=-0.22),
        DemoEdge(source=3, sink=2, sign="-", bend=0.14),
        DemoEdge(source=1, sink=4, sign="+", bend=0.16),
        DemoEdge(source=4, sink=5, sign="+", bend=-0.18),
        DemoEdge(source=5, sink=3, sign="+", bend=-0.16),
        DemoEdge(source=4, sink=6, sign="-", delay=True, bend=0.2),
        DemoEdge(source=6, sink=4, sign="-", bend=0.2),
        DemoEdge(source=6, sink=3, sign="+", bend=0.22, sign_inside=True),
        DemoEdge(source=2, sink=7, sign="+", delay=True, bend=-0.2),
        DemoEdge(source=7, sink=8, sign="-", bend=-0.2),
        DemoEdge(source=8, sink=3, sign="+", bend=-0.2, sign_inside=True),
    ),
    figure_after=3,
)

BROADBAND = DemoPaper(
    slug="broadband",
    title="Growing on one street crew: loops in a small-town broadband cooperative",
    year=2022,
    abstract=(
        "A cooperative that lays its own fibre can grow quickly for two years and then stand still for five. We "
        "explain both phases with one diagram of an invented cooperative in a town of four thousand households. "
        "Subscriptions pay for crew hours, crew hours bring more homes within reach, and satisfied neighbours do "
        "the advertising. The same growth fills the shared links in the evening, and the crew that should build "
        "must now repair. The diagram has eight variables and twelve signed links and is printed as a picture, as "
        "in many older reports."
    ),
    sections=(
        (
            "Introduction",
            (
                "The cooperative began with one trench, dug by its members on a weekend. By the end of the second year "
                "every third household in town subscribed to it. In the third year growth stopped, although nearly "
                "half of the town still could not be connected and said that it would like to be. The board suspected "
                "the price. The crew suspected the board.",
                "This note offers a third explanation. It treats the cooperative as a set of feedback loops that share "
                "one scarce thing, the hours of a single street crew. The loops are drawn in Figure 1.",
            ),
        ),
        (
            "Growth and what it feeds on",
            (
                "Three links make the engine. The more households subscribed, the larger the subscription income; the "
                "board spends it on crew hours; the crew digs, and more homes come within reach. A home within reach "
                "sooner or later becomes a household subscribed. A second engine needs no digging. Each new subscriber "
                "tells others, and word of mouth brings in more subscribers, some of whom had turned down a printed "
                "offer twice.",
                "Both engines load the network. On a winter evening all households use the same few links towards the "
                "exchange, and evening congestion rises with their number. Congestion leads to complaints. Complaints "
                "have two effects. They are passed on over the fence, where they replace the praise that brought "
                "subscribers in. And they are passed on to the crew, which now spends its time on repairs. Repairs do "
                "relieve the congestion, but each hour spent on them is an hour taken from the crew hours available "
                "for new streets.",
            ),
        ),
        (
            "Discussion",
            (
                "Growth stopped when the hours lost to repairs equalled the hours paid for by new subscriptions. No "
                "one decided that it should. A second crew would have moved the balance, yet income could not pay for "
                "it until more homes were connected. Splitting the shared links before they were full would have kept "
                "the crew in the trenches, and would have looked like waste at the time.",
                "The diagram says nothing about competitors, who came in the fourth year. By then the word of mouth "
                "had already turned.",
            ),
        ),
    ),
    caption=(
        "Figure 1. The loops of the cooperative. Plus and minus signs at the arrowheads give the direction of each "
        "influence. Reproduced as a picture."
    ),
    look="scan",
    size=(427, 270),
    nodes=(
        DemoNode(("Households", "subscribed"), 205, 42),
        DemoNode(("Subscription", "income"), 370, 42),
        DemoNode(("Crew hours", "available"), 330, 236),
        DemoNode(("Homes within", "reach"), 305, 135),
        DemoNode(("Evening", "congestion"), 190, 145),
        DemoNode(("Complaints",), 58, 145),
        DemoNode(("Word of", "mouth"), 58, 42),
        DemoNode(("Time spent", "on repairs"), 140, 236),
    ),
    edges=(
        DemoEdge(source=0, sink=1, sign="+", bend=-0.14),
        DemoEdge(source=1, sink=2, sign="+", bend=-0.22),
        DemoEdge(source=2, sink=3, sign="+", bend=-0.1),
        DemoEdge(source=3, sink=0, sign="+", bend=0.14),
        DemoEdge(source=0, sink=4, sign="+", bend=0.12),
        DemoEdge(source=4, sink=5, sign="+", bend=0.14),
        DemoEdge(source=5, sink=6, sign="-", bend=-0.14),
        DemoEdge(source=6, sink=0, sign="+", bend=-0.22),
        DemoEdge(source=0, sink=6, sign="+", bend=-0.22),
        DemoEdge(source=5, sink=7, sign="+", bend=0.18),
        DemoEdge(source=7, sink=4, sign="-", bend=0.16),
        DemoEdge(source=7, sink=2, sign="-", bend=0.16),
    ),
    figure_after=2,
)

PAPERS = (RESERVOIR, HOSPITAL, BROADBAND)
