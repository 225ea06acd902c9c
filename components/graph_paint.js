// How each class looks: colours by theme, lines, borders, and the marks drawn as text beside the lines.

const COMPARED = {
  light: { matched: "#3A3A3A", missed: "#0072B2", spurious: "#C44601", reversed: "#C44601" },
  dark: { matched: "#D6D3CD", missed: "#5BB0E8", spurious: "#F08A4B", reversed: "#F08A4B" },
};
const MEANING = {
  matched: "matched", missed: "missed (ground truth only)",
  spurious: "spurious (prediction only)", reversed: "reversed",
};
const DASHES = { missed: [8, 7], spurious: [0.1, 5.4], reversed: [0.1, 5.4] }; // with round ends; else solid
const BORDER_DASHES = [6, 4];
const WIDTH = 2; // of every line: width never says the class
const LEAST_PX = 1.4; // a line's least width on the screen, however far away
const ARROW = 0.72;
const FONT_PX = 14;
const LEGIBLE_PX = 5; // smaller signs are left out
const MARKS = { least: 0.8, most: 1.5 }; // from afar signs grow, up to half as large again
const LOOP_PX = 18;
const LOOP_MARK_PX = 15;

function nodeItem(figure, node, id, hidden) {
  const { ink, paper, wash, outline, font, classes } = figure.palette;
  const plain = node.style === "plain";
  const colour = { background: node.style === "matched" ? wash : paper, border: plain ? outline : classes[node.style] };
  return {
    id, hidden, label: node.label, shape: "box", borderWidth: plain ? 1.25 : 1.75,
    margin: { top: 7, bottom: 7, left: 10, right: 10 },
    widthConstraint: { maximum: 140 },
    shapeProperties: {
      borderRadius: node.style === "spurious" ? 0 : 4,
      borderDashes: node.style === "missed" ? BORDER_DASHES : false,
    },
    color: { ...colour, highlight: colour, hover: colour }, // a ring around it says that it is chosen
    font: { color: ink, face: font, size: FONT_PX, multi: false },
  };
}

function edgeItem(figure, edge, numbers, hidden) {
  const colour = figure.palette.classes[edge.style];
  const smooth = edge.bend === 0
    ? { enabled: false }
    : { enabled: true, type: edge.bend > 0 ? "curvedCW" : "curvedCCW", roundness: Math.abs(edge.bend) };
  return {
    id: numberOf(figure, `edge ${edge.ref}`), from: numbers[edge.from], to: numbers[edge.to],
    hidden: hidden || figure.hiddenClasses.has(edge.style),
    color: { color: colour, highlight: colour, hover: colour, inherit: false },
    dashes: DASHES[edge.style] ?? false, width: WIDTH,
    arrows: {
      to: { enabled: true, scaleFactor: ARROW, type: "arrow" },
      from: { enabled: edge.style === "reversed", scaleFactor: ARROW, type: "arrow" },
    },
    smooth, selfReference: { size: LOOP_PX, angle: Math.PI / 4, renderBehindTheNode: true },
    selectionWidth: 0, hoverWidth: 0,
  };
}

/** Which corner each self-loop stands on: upper right, lower right, upper left, lower left, and again from there. */
function loopCorners(edges) {
  const seen = new Map();
  return edges.map(({ from, to }) => {
    if (from !== to) return 0;
    const twin = seen.get(from) ?? 0;
    seen.set(from, twin + 1);
    return twin % 4;
  });
}

/** The angle at which vis-network finds that corner; a self-loop arches over the border beside it. */
function loopAngle({ width, height }, corner) {
  const angle = Math.atan2(height / 2, Math.max(width / 2 - LOOP_PX - 5, 1));
  return [angle, -angle, Math.PI - angle, angle - Math.PI][corner];
}

function emphasiseEdge(figure) {
  return (values, id, selected) => { // a halo, for the width must stay
    values.background = true;
    values.backgroundColor = selected ? figure.palette.halo : figure.palette.hover;
    values.backgroundSize = values.width + 8;
    values.backgroundDashes = false;
  };
}

/** Makes every drawn item dim with the rest, and keeps lines and borders visible from afar. */
function dress(figure) {
  const { nodes, edges } = figure.network.body;
  for (const drawn of [...Object.values(nodes), ...Object.values(edges)]) {
    if (drawn.isDressed) continue;
    drawn.isDressed = true;
    const methods = drawn.edgeType ? ["draw", "drawArrows"] : ["draw"];
    for (const method of methods) {
      const paint = drawn[method];
      drawn[method] = (context, ...rest) => {
        context.save();
        widen(figure, drawn);
        const strength = strengthOf(figure, drawn.id);
        if (strength < 1 && drawn.shape) cover(figure, context, drawn);
        context.globalAlpha = strength;
        const result = paint.call(drawn, context, ...rest);
        context.restore();
        return result;
      };
    }
  }
}

/** A dimmed node lets no line show through its name. */
function cover(figure, context, { x, y, shape, options }) {
  if (options.hidden || !shape.width) return;
  context.fillStyle = figure.palette.paper;
  context.fillRect(x - shape.width / 2, y - shape.height / 2, shape.width, shape.height);
}

function widen(figure, drawn) {
  const scale = figure.network.body.view.scale;
  const style = (figure.facts.get(drawn.id)?.edge ?? figure.facts.get(drawn.id)?.node)?.style;
  if (drawn.edgeType) {
    const factor = Math.max(1, LEAST_PX / WIDTH / scale);
    drawn.options.width = WIDTH * factor;
    if (DASHES[style]) drawn.options.dashes = DASHES[style].map((length) => length * factor);
    if (drawn.fromId === drawn.toId && drawn.from.shape.width) {
      drawn.options.selfReference.angle = loopAngle(drawn.from.shape, figure.facts.get(drawn.id).corner);
    }
  } else if (style === "missed") { // vis-network keeps a border's width on the screen, but not its dashes
    drawn.options.shapeProperties.borderDashes = BORDER_DASHES.map((length) => length / Math.max(scale, 0.5));
  }
}

// --- signs, delays, doubts, badges and loops: drawn on top --------------------------------------------------------

function drawMarks(figure, context) {
  const { network } = figure;
  context.save();
  context.textBaseline = "middle";
  context.lineJoin = "round";
  const scale = network.getScale();
  const grown = Math.min(Math.max(MARKS.least / scale, 1), MARKS.most);
  if (grown !== figure.grown) figure.spots.clear();
  figure.grown = grown;
  drawRings(figure, context);
  if (scale * 18 * grown >= LEGIBLE_PX) {
    for (const id of network.body.edgeIndices) drawEdgeMarks(figure, context, network.body.edges[id]);
    for (const id of network.body.nodeIndices) drawBadge(figure, context, network.body.nodes[id]);
  }
  drawLoopMarks(figure, context);
  context.restore();
}

function drawEdgeMarks(figure, context, edge) {
  const fact = figure.facts.get(edge.id)?.edge;
  if (!fact || !edge.connected) return;
  const words = markWords(fact);
  const crossed = fact.style === "spurious" || fact.style === "reversed";
  const colour = figure.palette.classes[fact.style];
  const places = spotsOf(figure, edge, context);
  context.globalAlpha = strengthOf(figure, edge.id);
  if (crossed) drawCross(figure, context, places.middle, colour);
  if (fact.delay) drawDelay(figure, context, crossed || words.box ? places.before : places.middle, colour);
  if (words.box) drawBox(figure, context, words.box, places.middle, colour);
  if (words.sign) write(figure, context, words.sign, places.head, 18, 700, colour);
  if (words.beside) write(figure, context, words.beside, places.beside, 12, "italic 600", colour);
  if (words.doubt) write(figure, context, words.doubt, words.beside ? places.beyond : places.beside, 15, 700, figure.palette.ink);
}

/** The texts at an edge: its sign (in a box where it differs), "reversed" and the mark of a doubt. */
function markWords(edge) {
  return {
    sign: edge.differs ? "" : edge.mark, box: edge.differs,
    beside: edge.style === "reversed" ? "reversed" : "", doubt: edge.flag ? "?" : "",
  };
}

function write(figure, context, text, spot, size, weight, paint) {
  context.font = `${weight} ${size * figure.grown}px ${figure.palette.font}`;
  context.textAlign = text.length > 1 && Math.abs(spot.lean) > 3 ? (spot.lean > 0 ? "left" : "right") : "center";
  context.lineWidth = 4;
  context.strokeStyle = figure.palette.paper;
  context.strokeText(text, spot.x, spot.y);
  context.fillStyle = paint;
  context.fillText(text, spot.x, spot.y);
}

function drawBox(figure, context, text, { x, y }, colour) {
  const { grown } = figure;
  context.font = `700 ${14 * grown}px ${figure.palette.font}`;
  context.textAlign = "center";
  const width = context.measureText(text).width + 12;
  panel(context, x - width / 2, y - 11 * grown, width, 22 * grown, 2);
  context.fillStyle = figure.palette.paper;
  context.fill();
  context.lineWidth = 1.75;
  context.strokeStyle = colour;
  context.stroke();
  context.fillStyle = colour;
  context.fillText(text, x, y + 0.5);
}

function panel(context, x, y, width, height, radius) {
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
}

/** The x in the middle of a spurious line: two strokes on a spot of paper. */
function drawCross(figure, context, { x, y, turn }, colour) {
  context.save();
  context.translate(x, y);
  context.rotate(turn);
  context.scale(figure.grown, figure.grown);
  context.lineCap = "round";
  for (const [width, paint] of [[7, figure.palette.paper], [2.2, colour]]) {
    context.lineWidth = width;
    context.strokeStyle = paint;
    strokes(context, [[-5, -5, 5, 5], [-5, 5, 5, -5]]);
  }
  context.restore();
}

/** The mark ‖ across the line, as two strokes: not every font has the sign. */
function drawDelay(figure, context, { x, y, turn }, colour) {
  context.save();
  context.translate(x, y);
  context.rotate(turn);
  context.scale(figure.grown, figure.grown);
  context.strokeStyle = colour;
  context.lineWidth = 2;
  strokes(context, [[-3, -8, -3, 8], [3, -8, 3, 8]]);
  context.restore();
}

function strokes(context, lines) {
  context.setLineDash([]);
  context.beginPath();
  for (const [x, y, toX, toY] of lines) {
    context.moveTo(x, y);
    context.lineTo(toX, toY);
  }
  context.stroke();
}

function drawBadge(figure, context, node) {
  const fact = figure.facts.get(node.id)?.node;
  if (!fact?.badge || node.options.hidden) return;
  const { paper, ink, font } = figure.palette;
  context.globalAlpha = strengthOf(figure, node.id);
  const { grown } = figure;
  context.font = `600 ${11 * grown}px ${font}`;
  context.textAlign = "center";
  const text = fact.badge.length > 24 ? `${fact.badge.slice(0, 23)}…` : fact.badge;
  const width = context.measureText(text).width + 10;
  const [x, y] = [node.x + node.shape.width / 2 - width / 2 + 6, node.y + node.shape.height / 2 + 4 * grown];
  panel(context, x - width / 2, y - 8 * grown, width, 16 * grown, 8 * grown);
  context.fillStyle = paper;
  context.fill();
  context.lineWidth = 1.25;
  context.strokeStyle = node.options.color.border;
  context.stroke();
  context.fillStyle = ink;
  context.fillText(text, x, y + 0.5);
}

/** Rings around the chosen and the found nodes, as wide on the screen at every zoom. */
function drawRings(figure, context) {
  const { network } = figure;
  const scale = network.getScale();
  const chosen = new Set(network.getSelectedNodes());
  const ring = (id, width, paint) => {
    const node = network.body.nodes[id];
    if (!node || node.options.hidden) return;
    const away = 3 + width / 2 / scale;
    panel(
      context, node.x - node.shape.width / 2 - away, node.y - node.shape.height / 2 - away,
      node.shape.width + 2 * away, node.shape.height + 2 * away, 4 + away,
    );
    context.lineWidth = width / scale;
    context.strokeStyle = paint;
    context.stroke();
  };
  context.setLineDash([]);
  for (const id of figure.hits) if (!chosen.has(id)) ring(id, 2, figure.palette.found);
  for (const id of chosen) ring(id, 3, figure.palette.act);
}

// --- where the marks of an edge go --------------------------------------------------------------------------------

/** By its head, on its middle, before and beside it: kept until something moves, for it is asked at every frame. */
function spotsOf(figure, edge, context) {
  let spots = figure.spots.get(edge.id);
  if (!spots) {
    spots = edge.fromId === edge.toId ? loopSpots(figure, edge, context) : lineSpots(figure, edge);
    figure.spots.set(edge.id, spots);
  }
  return spots;
}

function lineSpots(figure, edge) {
  const type = edge.edgeType;
  const { fromPoint, toPoint } = type; // the line without its arrowheads
  const at = (t) => {
    const [before, spot, after] = [t - 0.02, t, t + 0.02].map((u) => type.getPoint(u, type.getViaNode()));
    return { ...spot, turn: Math.atan2(after.y - before.y, after.x - before.x) };
  };
  const length = Math.max(Math.hypot(toPoint.x - fromPoint.x, toPoint.y - fromPoint.y), 1);
  const { grown } = figure;
  const middles = [0.5, 0.42, 0.58, 0.34, 0.66].map(at);
  const middle = middles.find((spot) => !isOnLabel(figure, spot, 6 * grown, 6 * grown)) ?? middles[0];
  const side = outerSide(edge, at(0.5));
  const near = [[4, side], [4, -side], [16, side], [16, -side], [28, side]];
  const spots = near.map(([back, way]) => aside(at(Math.max(1 - (back * grown) / length, 0.5)), 11 * grown * way));
  const head = spots.find((spot) => !isOnLabel(figure, spot, 7 * grown, 8 * grown)) ?? spots[0];
  return {
    head, middle, before: at(Math.max(0.5 - (26 * grown) / length, 0.15)),
    beside: aside(middle, 14 * grown * side), beyond: aside(middle, -14 * grown * side), path: [at(0.3), at(0.7)],
  };
}

function loopSpots(figure, edge, context) {
  const [x, y, radius] = edge.edgeType._getCircleData(context);
  const up = y < edge.from.y ? -1 : 1; // the arch stands on the upper border or hangs from the lower one
  const at = (eighths, reach) => {
    const angle = (up * eighths * Math.PI) / 4;
    const [dx, dy] = [Math.cos(angle) * reach, Math.sin(angle) * reach];
    return { x: x + dx, y: y + dy, lean: dx, turn: angle + Math.PI / 2 };
  };
  const out = radius + 12 * figure.grown;
  return {
    head: at(1, out), middle: at(2, radius), before: at(3, radius), beside: at(2, out), beyond: at(3, out),
    clear: at(2, radius + 32), path: [],
  };
}

function aside(spot, reach) {
  const [x, y] = [-Math.sin(spot.turn) * reach, Math.cos(spot.turn) * reach];
  return { x: spot.x + x, y: spot.y + y, lean: x };
}

function isOnLabel(figure, spot, acrossPx, downPx) {
  const { nodes, nodeIndices } = figure.network.body;
  for (const id of nodeIndices) {
    const { x, y, shape } = nodes[id];
    if (Math.abs(spot.x - x) < shape.width / 2 + acrossPx && Math.abs(spot.y - y) < shape.height / 2 + downPx) return true;
  }
  return false;
}

function outerSide(edge, middle) {
  const [ax, ay, bx, by] = [edge.from.x, edge.from.y, edge.to.x, edge.to.y];
  const bow = (bx - ax) * (middle.y - ay) - (by - ay) * (middle.x - ax);
  if (Math.abs(bow) > 2 * Math.hypot(bx - ax, by - ay)) return Math.sign(bow);
  return bx >= ax ? -1 : 1; // straight: above the line
}

// --- loops --------------------------------------------------------------------------------------------------------

/** R1, B2 …: the name in the middle of the loop's nodes, and around it an arrow that turns as the loop does. */
function drawLoopMarks(figure, context) {
  const marks = figure.data?.marks ?? [];
  const taken = marks.length && !figure.spots.has("loop 0") ? marksTaken(figure) : [];
  figure.drawnMarks = marks.flatMap((mark, i) => {
    const numbers = mark.nodes.map((place) => nodeNumber(figure, figure.data.nodes[place].ref));
    const nodes = numbers.map((number) => figure.network.body.nodes[number]);
    if (nodes.some((node) => !node || node.options.hidden)) return [];
    const clockwise = turnsClockwise(nodes);
    const key = `loop ${i}`;
    if (!figure.spots.has(key)) figure.spots.set(key, freeSpot(figure, loopMiddle(figure, nodes, context), taken));
    const spot = figure.spots.get(key);
    taken.push({ ...spot, room: LOOP_MARK_PX + 4 });
    const strength = numbers.every((number) => strengthOf(figure, number) === 1) ? 1 : figure.palette.dim;
    context.globalAlpha = strength;
    drawTurn(figure, context, spot, clockwise);
    const size = mark.text.length > 3 ? 9 : 13;
    write(figure, context, mark.text, { ...spot, lean: 0 }, size, 700, figure.palette.ink);
    return [{ text: mark.text, clockwise, strength, ...figure.network.canvasToDOM(spot) }];
  });
}

/** Where signs, boxes and the like already stand, with the room each takes. */
function marksTaken(figure) {
  const taken = [];
  for (const [id, spots] of figure.spots) {
    const edge = figure.facts.get(id)?.edge;
    if (!edge) continue;
    const words = markWords(edge);
    if (words.sign) taken.push({ ...spots.head, room: 9 });
    const isMarked = edge.delay || edge.style === "spurious" || edge.style === "reversed";
    taken.push({ ...spots.middle, room: words.box ? 26 * figure.grown : isMarked ? 10 : -3 }); // a bare line may touch
    for (const spot of spots.path) taken.push({ ...spot, room: -3 });
  }
  return taken;
}

/** By the area its nodes enclose (y grows downwards). Two edges between two nodes bow to their own left: clockwise. */
function turnsClockwise(nodes) {
  const area = nodes.reduce((sum, node, i) => {
    const next = nodes[(i + 1) % nodes.length];
    return sum + node.x * next.y - next.x * node.y;
  }, 0);
  return area >= 0;
}

function loopMiddle(figure, nodes, context) {
  const own = nodes.length === 1 && nodes[0].edges.find((edge) => edge.fromId === edge.toId && edge.connected);
  if (own) return spotsOf(figure, own, context).clear;
  const mean = (axis) => nodes.reduce((sum, node) => sum + node[axis], 0) / nodes.length;
  return { x: mean("x"), y: mean("y") };
}

/** The spot itself, or the nearest on rings around it that no label and no other mark takes. */
function freeSpot(figure, middle, taken) {
  const room = LOOP_MARK_PX * figure.grown + 2;
  const isFree = (spot) => !isOnLabel(figure, spot, room, room)
    && taken.every((other) => Math.hypot(other.x - spot.x, other.y - spot.y) > room + other.room);
  if (isFree(middle)) return middle;
  for (let reach = 12; reach <= 168; reach += 12) {
    for (let step = 0; step < 12; step += 1) {
      const angle = (step * Math.PI) / 6;
      const spot = { x: middle.x + Math.cos(angle) * reach, y: middle.y + Math.sin(angle) * reach };
      if (isFree(spot)) return spot;
    }
  }
  return middle;
}

function drawTurn(figure, context, { x, y }, clockwise) {
  const { paper, ink } = figure.palette;
  const radius = LOOP_MARK_PX * figure.grown;
  const way = clockwise ? 1 : -1;
  const [start, end] = [-Math.PI / 2 + way * 0.55, -Math.PI / 2 + way * (2 * Math.PI - 0.35)];
  context.setLineDash([]);
  context.beginPath();
  context.arc(x, y, radius + 2, 0, 2 * Math.PI);
  context.fillStyle = paper;
  context.fill();
  context.beginPath();
  context.arc(x, y, radius, start, end, !clockwise);
  context.lineWidth = 1.75;
  context.strokeStyle = ink;
  context.stroke();
  context.save();
  context.translate(x + Math.cos(end) * radius, y + Math.sin(end) * radius);
  context.rotate(end + way * (Math.PI / 2 + 0.12));
  context.beginPath();
  context.moveTo(6, 0);
  context.lineTo(-4, -4.5);
  context.lineTo(-4, 4.5);
  context.closePath();
  context.fillStyle = ink;
  context.fill();
  context.restore();
}

// --- colours ------------------------------------------------------------------------------------------------------

/** Reads the app's theme; true if it is another one than last time. */
function takePalette(figure) {
  const style = getComputedStyle(figure.root);
  const read = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
  const ink = solid(read("--st-text-color", "#14171A"));
  const paper = solid(read("--st-background-color", "#FDFCFA"));
  const act = solid(read("--st-primary-color", "#0F6B66"));
  const dark = lightness(paper) < 0.4;
  const compared = COMPARED[dark ? "dark" : "light"];
  const palette = {
    ink: hex(ink), paper: hex(paper), act: hex(act), wash: hex(mix(ink, paper, dark ? 0.16 : 0.09)),
    outline: hex(mix(ink, paper, 0.5)), halo: hex(mix(act, paper, dark ? 0.55 : 0.4)),
    hover: hex(mix(ink, paper, 0.14)), found: hex(mix(act, paper, 0.8)),
    dim: dark ? 0.22 : 0.15, // on a dark ground the same share of ink is harder to see
    font: read("--st-font", "sans-serif"), classes: { plain: hex(mix(ink, paper, 0.86)), ...compared },
  };
  const changed = JSON.stringify(palette) !== JSON.stringify(figure.palette);
  figure.palette = palette;
  for (const name of ["matched", "missed", "spurious"]) figure.root.style.setProperty(`--${name}`, compared[name]);
  return changed;
}

/** Red, green, blue of any CSS colour, by painting it. */
function solid(colour) {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}

function mix(one, other, share) {
  return one.map((value, i) => Math.round(value * share + other[i] * (1 - share)));
}

function hex(colour) {
  return `#${colour.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function lightness([red, green, blue]) {
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}
