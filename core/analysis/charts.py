"""Charts of results. A chart is a function of what it shows and of the theme; `KINDS` has one for each kind.

Series differ in colour and in form; every colour is at least 3 : 1 on its ground and every text 4.5 : 1 (the palette of
Okabe and Ito 2008, darkened or lightened). A click on a point selects its row and its column (`SELECTED`). Marks that
are no values, such as intervals, are hidden from screen readers: the points say them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from core.analysis.groupings import MINUS
from core.words import counted

if TYPE_CHECKING:
    import altair as alt

    from core.estimate import Estimate

SELECTED = "cell"
"""The selection of a chart: a list of one {row, column}."""
WIDTH, TALL, STEP = 520, 290, 22
"""Pixels: width and height of a chart without the labels of its axes, and of each line of one with names."""
FONT, FILE_FONT = "Source Sans, sans-serif", "Liberation Sans"
"""Of screens, and the one that vl-convert has in it: a file has the same bytes on any machine."""


class ChartKind(StrEnum):
    """The form of a chart; each has a function in `KINDS`."""

    DOTS = "dots"
    HEAT = "heat"
    SCATTER = "scatter"
    HISTOGRAM = "histogram"
    RELIABILITY = "reliability"
    BARS = "bars"


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours of a theme: of the ground, texts, the grid, a line of reference, series, and of low to high values."""

    ground: str
    text: str
    grid: str
    line: str
    series: tuple[str, ...]
    ramp: tuple[str, str]


LIGHT = Theme(
    "#FDFCFA",
    "#4A5056",
    "#DEDAD1",
    "#5A6068",
    ("#0072B2", "#C44601", "#00795A", "#A13D78", "#5A6068", "#7A5C00", "#4B3FB5", "#B0003A"),
    ("#F3F1EC", "#0F6B66"),
)
DARK = Theme(
    "#17191C",
    "#B9BEC4",
    "#3A3E44",
    "#B9BEC4",
    ("#5BB0E8", "#F08A4B", "#3FC99A", "#E08BBB", "#B9BEC4", "#D9B54A", "#A29BF5", "#FF7A94"),
    ("#23262B", "#4FB8AE"),
)
MOST_SERIES = len(LIGHT.series)
MOST_BARS = 24
FAINT = 0.35
"""Opacity of dots that are of too few to be relied on."""
MOST_NAME = 260
"""Pixels of a name before an axis."""
MOST_LABEL = 170
"""Pixels of a name before bars or before a difference; a telephone has about 350."""
_SPLIT = f"split(datum.label, {json.dumps(MINUS, ensure_ascii=False)})"
TWO_LINES = f"[{_SPLIT}[0], {json.dumps(MINUS.lstrip(), ensure_ascii=False)} + {_SPLIT}[1]]"
LETTER = 6
"""Pixels of a letter of numbers in cells."""
LEAST_PART = 0.08
"""Of the longest bar: a part this long holds its number."""
LEAST_LETTER = 0.025
"""Of the longest bar: a part this long holds the letter of its column."""
LETTERS = "ABCDEFGH"
SHAPES = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "stroke", "triangle-right")
SHORT_NAMES = 9
"""Letters of the longest name of a legend of two columns: next to the names of rows, a phone has about 200 px."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A value of a row and a column; `text` is as tables print it, `interval` too. None is undefined, and not drawn."""

    row: str
    column: str
    value: float | None
    low: float | None = None
    high: float | None = None
    text: str = ""
    interval: str = ""
    x: float | None = None  # of a scatter
    is_faint: bool = False  # it is of too few to be relied on

    @classmethod
    def of(cls, row: str, column: str, estimate: Estimate, text: str, interval: str = "") -> Point:
        """The point of an estimate."""
        value, low, high = estimate.value, estimate.low, estimate.high
        return cls(row=row, column=column, value=value, low=low, high=high, text=text, interval=interval)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Everything that a chart shows, without its colours.

    Attributes:
        title: what it shows, for its text alternative
        value_title: of the axis of values
        x_title: of the other axis of a scatter, or of a histogram
        in_percent: values are shares
        in_order: columns follow each other, such as years
        is_ranked: values are of `RANKS`
        is_log: values of a histogram are on a logarithmic axis, with 0 before 1
        are_pairs: a row is of two names with `MINUS` between them, which take two lines
        are_places: points of a scatter are places on axes of their own, along which no line is drawn
        has_front: points of a scatter have their names, and those that no other beats are joined; less is better on the
            axis below
        reference: value of a line to compare with, such as no difference
    """

    kind: ChartKind
    title: str
    row_title: str
    column_title: str
    value_title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    points: tuple[Point, ...]
    x_title: str = ""
    in_percent: bool = False
    in_order: bool = False
    is_ranked: bool = False
    is_log: bool = False
    are_pairs: bool = False
    are_places: bool = False
    has_front: bool = False
    reference: float | None = None

    @property
    def series(self) -> tuple[str, ...]:
        """The labels that differ in colour and form: rows where columns are in order, otherwise the fewer of both."""
        return self.rows if self.in_order else min(self.columns, self.rows, key=len)

    @property
    def left_out(self) -> int:
        """Return the number of them that are not drawn, or that of rows with bars."""
        if self.kind is ChartKind.BARS:
            return max(0, len(self.rows) - MOST_BARS)
        return max(0, len(self.series) - MOST_SERIES) if self.kind is ChartKind.DOTS else 0

    @property
    def front(self) -> list[Point]:
        """The points of a scatter that no other beats: none has as much with less on the axis below."""
        result = list[Point]()
        for point in sorted(self.points, key=lambda each: (each.x or 0.0, -(each.value or 0.0))):
            if not result or (point.value or 0.0) > (result[-1].value or 0.0):
                result.append(point)
        return result

    @property
    def words(self) -> str:
        """The chart in words, as its text alternative."""
        several = len(self.columns) > 1
        listed = [
            f"{point.row}{f', {point.column}' if several else ''}: {point.text}"
            + (f" ({point.interval})" if point.interval else "")
            for point in self.points
            if point.value is not None
        ]
        return f"{self.title}. {'; '.join(listed) if listed else 'No value is defined.'}"


def chart_of_points(points: Sequence[Point], **about: Any) -> Chart:
    """The chart of the defined points, with their rows and columns in the order in which the points name them.
    `about`: the other attributes of a `Chart`."""
    defined = tuple(point for point in points if point.value is not None)
    rows, columns = {point.row for point in defined}, {point.column for point in defined}
    return Chart(
        rows=tuple(row for row in dict.fromkeys(point.row for point in points) if row in rows),
        columns=tuple(column for column in dict.fromkeys(point.column for point in points) if column in columns),
        points=defined,
        **about,
    )


def doubling(row: str, column: str, values: Iterable[float], unit: str, measure: str) -> list[Point]:
    """The points of a histogram of numbers from 0: how many are below 1, from 1 to below 2, from 2 to below 4 …, in
    words such as "12 graphs with 2–3 cycles". `unit`: has the number, in the singular."""
    ends = Counter(0 if value < 1 else int(value).bit_length() for value in values)
    points = []
    for end in range(min(ends, default=0), max(ends, default=-1) + 1):
        low, high = 1 << end >> 1, 1 << end
        group = f"{low:,}" if high - low < 2 else f"{low:,}–{high - 1:,}"
        text = f"{counted(ends[end], unit)} with {group} {measure}"
        points.append(
            Point(row=row, column=column, value=float(ends[end]), low=float(low), high=float(high), text=text)
        )
    return points


def drawn(chart: Chart, *, dark: bool = False, font: str = FONT) -> alt.TopLevelMixin:
    """Build the chart for Vega-Lite. Its text alternative is `Chart.words`."""

    theme = DARK if dark else LIGHT
    ink: dict[str, Any] = {"labelColor": theme.text, "titleColor": theme.text, "labelFontSize": 12, "titleFontSize": 12}
    lines: dict[str, Any] = {"gridColor": theme.grid, "domainColor": theme.grid, "tickColor": theme.grid}
    built: alt.TopLevelMixin = (
        KINDS[chart.kind](chart, theme)
        .properties(background=theme.ground, autosize={"type": "fit-x", "contains": "padding"})
        .configure(font=font)
        .configure_view(stroke=None)
        .configure_axis(**ink, **lines, titleFontWeight="normal", labelLimit=MOST_NAME)
        .configure_legend(**ink, titleFontWeight="normal", labelLimit=400)
    )
    return built


def _base(chart: Chart) -> Any:
    """The chart's defined points as the rows of its data."""
    import altair as alt

    return alt.Chart(alt.InlineData(values=list(map(asdict, chart.points))))


def _selected() -> Any:
    import altair as alt

    return alt.selection_point(name=SELECTED, fields=["row", "column"])


def _tooltip(chart: Chart) -> list[Any]:
    import altair as alt

    named = {"row": chart.row_title, "column": chart.column_title, "text": chart.value_title, "interval": "95%"}
    return [alt.Tooltip(f"{name}:N", title=title or " ") for name, title in named.items()]


def _legend(title: str, names: Sequence[str]) -> dict[str, Any]:
    """A legend above the chart, where it is seen without scrolling."""
    columns = 2 if max(map(len, names), default=0) <= SHORT_NAMES else 1
    return {"orient": "top", "direction": "horizontal", "columns": columns, "title": title}


def _by_series(field: str, title: str, names: Sequence[str], theme: Theme) -> tuple[Any, Any]:
    """The colour and the form of points by the name of their series, with a legend."""
    import altair as alt

    of_field: dict[str, Any] = {"field": field, "type": "nominal", "legend": _legend(title, names)}
    ranges = (theme.series[: len(names)], SHAPES[: len(names)])
    scales = (alt.Scale(domain=list(names), range=list(each)) for each in ranges)
    return alt.Color(**of_field, scale=next(scales)), alt.Shape(**of_field, scale=next(scales))


def _dots(chart: Chart, theme: Theme) -> Any:
    """Points with their intervals: one of rows and columns is an axis, the other a series; in order, columns are the
    axis at the bottom, and lines connect the points of a row."""
    import altair as alt

    axis, series = ("column", "row") if chart.series is chart.rows else ("row", "column")
    labels = chart.columns if axis == "column" else chart.rows
    titles = {"row": chart.row_title, "column": chart.column_title}
    names = list(chart.series[:MOST_SERIES])
    heading = titles[axis] if chart.in_order else None  # names at the left need none, and it would cover them
    place: dict[str, Any] = {"field": axis, "type": "nominal", "sort": list(labels), "title": heading}
    is_of_pairs = chart.are_pairs and axis == "row"
    if is_of_pairs:
        place["axis"] = {"labelExpr": TWO_LINES, "labelLimit": MOST_LABEL}
    value: dict[str, Any] = {"title": chart.value_title, "scale": {"zero": False}}
    value["axis"] = {"format": "%"} if chart.in_percent else {}
    plain: dict[str, Any] = {"color": theme.series[0]} if len(names) < 2 else {}
    shades: dict[str, Any] = {}
    forms: dict[str, Any] = {}
    apart: dict[str, Any] = {}
    across, along = ("x", "y") if chart.in_order else ("y", "x")
    if len(names) > 1:
        shades["color"], forms["shape"] = _by_series(series, titles[series], names, theme)
        offset = {"x": alt.XOffset, "y": alt.YOffset}[across]
        apart[f"{across}Offset"] = offset(field=series, type="nominal", sort=names)
    axes: dict[str, Any] = {"x": alt.X, "y": alt.Y}
    where: dict[str, Any] = {across: axes[across](**place), **apart, **shades}
    at_value = {**where, along: axes[along](field="value", type="quantitative", **value)}
    ends = {**where, along: axes[along](field="low", type="quantitative", **value), f"{along}2": "high"}
    few = _base(chart).transform_filter(alt.FieldOneOfPredicate(field=series, oneOf=names))
    layers = [few.mark_rule(aria=False, strokeWidth=1.5, **plain).encode(**ends)]
    if chart.in_order:
        layers.append(few.mark_line(aria=False, **plain).encode(**at_value))
    full = alt.condition("datum.is_faint", alt.value(FAINT), alt.value(1))
    points = few.mark_point(filled=True, size=60, **plain).encode(
        **at_value, **forms, opacity=full, tooltip=_tooltip(chart)
    )
    layers.append(points.add_params(_selected()))
    if chart.reference is not None:
        reference = alt.Chart(alt.InlineData(values=[{"at": chart.reference}]))
        layers.insert(0, reference.mark_rule(aria=False, color=theme.line, strokeDash=[5, 4]).encode(**{along: "at:Q"}))
    lines = len(labels) * max(1.0, 0.7 * len(names))
    step = STEP * 1.6 if is_of_pairs else STEP
    height = TALL if chart.in_order else max(60, step * lines)
    return alt.layer(*layers).properties(width=WIDTH, height=height)


def _heat(chart: Chart, theme: Theme) -> Any:
    """A cell for each row and column with its value as a text; better and worse have colours of their own."""
    import altair as alt

    from core.analysis.printed import RANKS

    values = [point.value for point in chart.points if point.value is not None]
    grid = _base(chart).encode(
        x=alt.X("column:N", sort=list(chart.columns), title=chart.column_title, axis={"labelAngle": -40}),
        y=alt.Y("row:N", sort=list(chart.rows), title=None if chart.is_ranked else chart.row_title),
    )
    if chart.is_ranked:
        scale = alt.Scale(domain=list(RANKS.values()), range=[theme.series[0], theme.grid, theme.series[1]])
        fill, is_strong = alt.Color("text:N", scale=scale, legend=None), "datum.value != 0"
    else:
        middle = (min(values, default=0) + max(values, default=0)) / 2
        fill = alt.Color("value:Q", scale=alt.Scale(range=list(theme.ramp)), legend=None)
        is_strong = f"datum.value > {middle}"
    ink = alt.condition(is_strong, alt.value(theme.ground), alt.value(theme.text))
    cells = grid.mark_rect(stroke=theme.ground).encode(color=fill, tooltip=_tooltip(chart)).add_params(_selected())
    wide = LETTER * max((len(point.text) for point in chart.points), default=0)
    fits = alt.condition(f"bandwidth('x') >= {wide}", "text:N", alt.value(""))
    texts = grid.mark_text(aria=False, fontSize=11).encode(text=fits, color=ink)
    names = min(MOST_NAME, (LETTER + 1) * max(map(len, chart.rows), default=0))
    size: dict[str, Any] = {
        "width": names + max(120, max(64, wide + 2 * LETTER) * (len(chart.columns) + 1)),
        "height": max(60, 30 * len(chart.rows)),
    }
    return alt.layer(cells, texts).properties(**size)


def _scatter(chart: Chart, theme: Theme) -> Any:
    """Points, and the straight line of least squares, or one that joins the points that none beats. Rows of several
    points differ in colour and form, and each has its line."""
    import altair as alt

    at: dict[str, Any] = {
        "x": alt.X("x:Q", title=chart.x_title, scale=alt.Scale(zero=False)),
        "y": alt.Y("value:Q", title=chart.value_title, scale=alt.Scale(zero=False)),
    }
    places = _base(chart).encode(**at)
    points = places.mark_point(filled=True, opacity=0.7, color=theme.series[0])
    if chart.has_front:
        front = alt.Chart(alt.InlineData(values=list(map(asdict, chart.front)))).encode(**at)
        names = places.mark_text(aria=False, align="left", dx=7, dy=-7, color=theme.text).encode(text="row:N")
        more = [front.mark_line(aria=False, color=theme.series[1]), names]
    elif 1 < len(chart.rows) < len(chart.points):
        colour, shape = _by_series("row", chart.row_title, chart.rows, theme)
        points = points.encode(color=colour, shape=shape)
        line = places.transform_regression("x", "value", groupby=["row"]).mark_line(aria=False).encode(color=colour)
        more = [] if chart.are_places else [line]
    elif chart.are_places:
        more = []
    else:
        more = [places.transform_regression("x", "value").mark_line(aria=False, color=theme.series[1])]
    points = points.encode(tooltip=_tooltip(chart)).add_params(_selected())
    return alt.layer(points, *more).properties(width=WIDTH, height=TALL)


def _histogram(chart: Chart, theme: Theme) -> Any:
    """A bar for each group of values, from its low to its high end, as high as the number in it."""
    import altair as alt

    ends = [end for point in chart.points for end in (point.low or 0, point.high or 0)] or [0]
    scale = alt.Scale(domain=[min(ends), max(ends)], nice=False)
    axis: dict[str, Any] = {"scale": scale, "axis": {"values": sorted(set(ends))}}
    if chart.is_log:  # log(1 + value), of which Vega would label round numbers in one corner
        tens = [0, *(10**power for power in range(len(str(int(max(ends))))))]
        axis["axis"] = {"format": ",.0f", "values": [each for each in tens if min(ends) <= each <= max(ends)]}
        scale.type = "symlog"
    bars = (
        _base(chart)
        .mark_rect(color=theme.series[0], stroke=theme.ground)
        .encode(
            x=alt.X("low:Q", title=chart.x_title, **axis),
            x2="high:Q",
            y=alt.Y("value:Q", title=chart.value_title, scale=alt.Scale(zero=True), axis={"tickMinStep": 1}),
            y2=alt.datum(0),
            tooltip=_tooltip(chart),
        )
    )
    return bars.add_params(_selected()).properties(width=WIDTH, height=TALL)


def _reliability(chart: Chart, theme: Theme) -> Any:
    """Bars of accuracy over bins of confidence, and the diagonal on which the two are equal."""
    import altair as alt

    unit = alt.Scale(domain=[0, 1])
    bars = (
        _base(chart)
        .mark_bar(color=theme.series[0], stroke=theme.ground)
        .encode(
            x=alt.X("low:Q", scale=unit, title=chart.row_title, bin="binned"),
            x2="high:Q",
            y=alt.Y("value:Q", scale=unit, title=chart.value_title),
            tooltip=_tooltip(chart),
        )
    )
    equal = alt.Chart(alt.InlineData(values=[{"x": 0, "y": 0}, {"x": 1, "y": 1}]))
    diagonal = equal.mark_line(aria=False, color=theme.series[1], strokeDash=[5, 4]).encode(x="x:Q", y="y:Q")
    return alt.layer(bars, diagonal).properties(width=400, height=340)


_STEPS = [digit * 10**power for power in range(12) for digit in (1, 2, 5)]
MOST_TICKS = 10


def _bars(chart: Chart, theme: Theme) -> Any:
    """A bar for each row; the parts of several columns follow each other in their order, each with the letter of its
    column and its number where they fit. A single column has its number after the bar."""
    import altair as alt

    rows, names = list(chart.rows[:MOST_BARS]), list(chart.columns[:MOST_SERIES])
    totals = [sum(point.value or 0 for point in chart.points if point.row == row) for row in rows]
    longest = max(totals, default=0) or 1
    is_one = len(names) < 2
    along: dict[str, Any] = {"field": "value", "type": "quantitative", "stack": "zero", "title": chart.value_title}
    along["scale"] = alt.Scale(domain=[0, longest * (1.15 if is_one else 1)])
    if all(float(point.value or 0).is_integer() for point in chart.points):
        step = max(1, next(each for each in _STEPS if longest / each <= MOST_TICKS))
        along["axis"] = {"values": list(range(0, int(longest) + 1, step))}  # half an item is no number of items
    bars = (
        _base(chart)
        .transform_filter(alt.FieldOneOfPredicate(field="row", oneOf=rows))
        .transform_calculate(place=f"indexof({json.dumps(names)}, datum.column)")
        .encode(
            x=alt.X(**along),
            y=alt.Y("row:N", sort=rows, title=None, axis={"labelLimit": MOST_LABEL}),
            order=alt.Order("place:Q"),
        )
    )
    parts = bars.mark_bar(stroke=theme.ground, **({"color": theme.series[0]} if is_one else {}))
    if is_one:
        texts = bars.mark_text(aria=False, align="left", dx=5, color=theme.text).encode(text="text:N")
    else:
        scale = alt.Scale(domain=names, range=list(theme.series[: len(names)]))
        lettered = f"{json.dumps(LETTERS)}[indexof({json.dumps(names)}, datum.label)] + '  ' + datum.label"
        legend = _legend(chart.column_title, names) | {"labelExpr": lettered}
        parts = parts.encode(color=alt.Color("column:N", scale=scale, legend=legend))
        letter = f"{json.dumps(LETTERS)}[datum.place]"
        number = f"datum.value >= {longest * LEAST_PART} ? {letter} + ' ' + datum.text"
        texts = bars.transform_calculate(fits=f"{number} : datum.value >= {longest * LEAST_LETTER} ? {letter} : ''")
        texts = texts.mark_text(aria=False, color=theme.ground)
        texts = texts.encode(x=alt.X(**along, bandPosition=0.5), text="fits:N")
    drawn_parts = parts.encode(tooltip=_tooltip(chart)).add_params(_selected())
    return alt.layer(drawn_parts, texts).properties(width=WIDTH, height=max(60, 28 * len(rows)))


KINDS: Mapping[ChartKind, Callable[[Chart, Theme], Any]] = {
    ChartKind.DOTS: _dots,
    ChartKind.HEAT: _heat,
    ChartKind.SCATTER: _scatter,
    ChartKind.HISTOGRAM: _histogram,
    ChartKind.RELIABILITY: _reliability,
    ChartKind.BARS: _bars,
}
