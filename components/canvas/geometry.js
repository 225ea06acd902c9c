// Geometry of the canvas: boxes, curves between them, hits under a finger. Pure: numbers in, numbers out.
// Lengths are points of the page unless a name ends in Px; a box is [x0, y0, x1, y1], y grows downwards.

const CURVE_STEPS = 18;
const BOWS = [0, 0.12, -0.12, 0.24, -0.24, 0.36, -0.36]; // share of the distance a curve is tried to bow aside
const PAIR_BOW = 0.15; // of reciprocal and repeated edges: each to its own left, so that they separate

/** @typedef {import("./types.d.ts").Box} Box */
/** @typedef {import("./types.d.ts").Point} Point */
/** @typedef {import("./types.d.ts").Curve} Curve */

/** @type {(box: Box) => Point} */
export const centreOf = ([x0, y0, x1, y1]) => [(x0 + x1) / 2, (y0 + y1) / 2];
/** @type {(box: Box, by: number) => Box} */
export const grown = ([x0, y0, x1, y1], by) => [x0 - by, y0 - by, x1 + by, y1 + by];
export const clampTo = (value, low, high) => Math.min(Math.max(value, low), high);
/** @type {(box: Box, x: number, y: number) => boolean} */
export const holds = ([x0, y0, x1, y1], x, y) => x >= x0 && x <= x1 && y >= y0 && y <= y1;

/** A box of at least `side` in both directions about the same centre.
 * @type {(box: Box, side: number) => Box} */
export function atLeast(box, side) {
  const [x, y] = centreOf(box);
  const halfWidth = Math.max(box[2] - box[0], side) / 2;
  const halfHeight = Math.max(box[3] - box[1], side) / 2;
  return [x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight];
}

function distanceToBox([x0, y0, x1, y1], x, y) {
  return Math.hypot(Math.max(x0 - x, 0, x - x1), Math.max(y0 - y, 0, y - y1));
}

/** Point where the ray from the centre of `box` towards (x, y) leaves the box.
 * @returns {Point} */
export function borderPoint(box, x, y) {
  const [cx, cy] = centreOf(box);
  const [dx, dy] = [x - cx, y - cy];
  const across = dx === 0 ? Infinity : (box[2] - box[0]) / 2 / Math.abs(dx);
  const down = dy === 0 ? Infinity : (box[3] - box[1]) / 2 / Math.abs(dy);
  const share = Math.min(across, down);
  return Number.isFinite(share) ? [cx + dx * share, cy + dy * share] : [cx, cy];
}

/** @returns {Point[]} */
function quadratic(from, control, to) {
  return Array.from({ length: CURVE_STEPS + 1 }, (_, step) => {
    const t = step / CURVE_STEPS;
    const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
    return [a * from[0] + b * control[0] + c * to[0], a * from[1] + b * control[1] + c * to[1]];
  });
}

/** @returns {Point[]} */
function cubic(...controls) {
  return Array.from({ length: CURVE_STEPS + 1 }, (_, step) => {
    const t = step / CURVE_STEPS;
    const parts = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3];
    const along = (axis) => controls.reduce((sum, point, place) => sum + parts[place] * point[axis], 0);
    return [along(0), along(1)];
  });
}

/** The place at `share` (0 to 1) of the length of a line through `points`, and the direction there in radians. */
export function alongLine(points, share) {
  const lengths = points.slice(1).map(([x, y], place) => Math.hypot(x - points[place][0], y - points[place][1]));
  let left = clampTo(share, 0, 1) * lengths.reduce((sum, length) => sum + length, 0);
  let place = 0;
  while (place < lengths.length - 1 && left > lengths[place]) {
    left -= lengths[place];
    place += 1;
  }
  const [[ax, ay], [bx, by]] = [points[place], points[place + 1]];
  const part = lengths[place] > 0 ? clampTo(left / lengths[place], 0, 1) : 0;
  return { x: ax + (bx - ax) * part, y: ay + (by - ay) * part, angle: Math.atan2(by - ay, bx - ax) };
}

/** @type {(points: Point[]) => Box} */
export function boundsOf(points) {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

export const lineText = (points) => `M${points.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L")}`;

/** A drawn line: its SVG path, its points from tail to head, the direction at the head, its middle.
 * @type {(points: Point[]) => Curve} */
export function curveOf(points) {
  const [x, y] = points[points.length - 1];
  // A printed path may end in a tiny hook; its last sixteenth gives the direction.
  const before = alongLine(points, 0.94);
  return {
    d: lineText(points),
    points,
    bounds: boundsOf(points),
    head: { x, y, angle: Math.atan2(y - before.y, x - before.x) },
    middle: alongLine(points, 0.5),
  };
}

/** The curve from box to box that bows aside by `bow` of their distance.
 * @type {(from: Box, to: Box, bow: number) => Point[]} */
function bowed(from, to, bow) {
  const [ax, ay] = centreOf(from);
  const [bx, by] = centreOf(to);
  /** @type {Point} */
  const control = [(ax + bx) / 2 + (by - ay) * bow, (ay + by) / 2 - (bx - ax) * bow];
  const start = borderPoint(from, ...control);
  const end = borderPoint(to, ...control);
  const areApart = distanceToBox(from, ...end) > 0;
  return quadratic(areApart ? start : [ax, ay], control, areApart ? end : [bx, by]);
}

/** A loop over the upper right corner of a box. */
function loopOf([x0, y0, x1, y1], unit) {
  const reach = unit * 2.6;
  const inset = Math.min(unit * 1.6, (x1 - x0) / 2);
  const drop = Math.min(unit, (y1 - y0) / 2);
  return cubic([x1 - inset, y0], [x1 - inset, y0 - reach], [x1 + reach, y0 + drop], [x1, y0 + drop]);
}

/**
 * Path of an edge: the printed one if it is known, a loop, or the curve that passes over the fewest `others`
 * and stays in the `area` of the figure.
 * `rank` counts the edges of the same two ends (in either direction) drawn before this one, `twins` all of them.
 * @param {Box} from
 * @param {Box} to
 * @param {{path?: Point[] | null, isLoop?: boolean, twins?: number, rank?: number, others?: Box[], unit?: number, area?: Box | null}} [how]
 * @returns {Curve}
 */
export function courseOf(
  from,
  to,
  { path = null, isLoop = false, twins = 1, rank = 0, others = [], unit = 4, area = null } = {},
) {
  if (path !== null) return curveOf(path);
  if (isLoop) return curveOf(loopOf(grown(from, unit * 0.6 * rank), unit));
  if (twins > 1) return curveOf(bowed(from, to, PAIR_BOW * (1 + Math.floor(rank / 2) * 0.9)));
  return curveOf(leastCrossing(from, to, others, area));
}

/** @type {(from: Box, to: Box, others: Box[], area: Box | null) => Point[]} */
function leastCrossing(from, to, others, area) {
  /** @type {Point[]} */
  let best = [];
  let fewest = Infinity;
  for (const bow of BOWS) {
    const points = bowed(from, to, bow);
    const bounds = boundsOf(points);
    const near = others.filter(
      (box) => box[0] < bounds[2] && box[2] > bounds[0] && box[1] < bounds[3] && box[3] > bounds[1],
    );
    const leaves = area !== null && points.some(([x, y]) => !holds(area, x, y));
    const crossed = near.filter((box) => points.some(([x, y]) => holds(box, x, y))).length + (leaves ? 2 : 0);
    if (crossed < fewest) [best, fewest] = [points, crossed];
    if (crossed === 0) break;
  }
  return best;
}

/** The two closest boxes of two lists; null for an empty list. */
export function closestPair(froms, tos) {
  let best = [froms[0] ?? null, tos[0] ?? null];
  let least = Infinity;
  for (const from of froms) {
    for (const to of tos) {
      const [[ax, ay], [bx, by]] = [centreOf(from), centreOf(to)];
      const distance = Math.hypot(ax - bx, ay - by);
      if (distance < least) [best, least] = [[from, to], distance];
    }
  }
  return best;
}

function distanceToLine(points, x, y) {
  let least = Infinity;
  for (let place = 1; place < points.length; place += 1) {
    const [[ax, ay], [bx, by]] = [points[place - 1], points[place]];
    const length = (bx - ax) ** 2 + (by - ay) ** 2;
    const share = length > 0 ? clampTo(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length, 0, 1) : 0;
    least = Math.min(least, Math.hypot(ax + share * (bx - ax) - x, ay + share * (by - ay) - y));
  }
  return least;
}

/**
 * Possible targets of a press at (x, y), likeliest first: [{kind, key, distance}].
 *
 * `places`: [{kind, key, box}] of names; `lines`: [{kind, key, points, bounds}]. A name is hit inside its box, or in
 * a square of `target` about its middle if it is smaller; a line within `tolerance`.
 * @param {{places: {kind: string, key: string, box: Box}[], lines: {kind: string, key: string, points: Point[], bounds: Box}[]}} scene
 * @param {number} x
 * @param {number} y
 * @param {{tolerance: number, target: number}} size
 */
export function hitsAt({ places, lines }, x, y, { tolerance, target }) {
  const hits = [];
  for (const { kind, key, box } of places) {
    if (!holds(atLeast(box, target), x, y)) continue;
    const distance = distanceToBox(box, x, y);
    const size = (box[2] - box[0]) * (box[3] - box[1]);
    hits.push({ kind, key, distance: distance > 0 ? distance : -1 / (1 + size) }); // the smaller of two nested boxes
  }
  for (const { kind, key, points, bounds } of lines) {
    if (!holds(grown(bounds, tolerance), x, y)) continue;
    const distance = distanceToLine(points, x, y);
    if (distance <= tolerance) hits.push({ kind, key, distance });
  }
  return hits.sort((a, b) => a.distance - b.distance);
}

/** Return the target of a further press at the same spot: lines that cross there take turns. */
export function nextHit(hits, chosenKey) {
  if (hits.length === 0 || hits[0].kind === "node" || hits[0].kind === "word") return hits[0] ?? null;
  const lines = hits.filter(({ kind }) => kind !== "node" && kind !== "word");
  return lines[(lines.findIndex(({ key }) => key === chosenKey) + 1) % lines.length];
}

/** @type {Record<string, Point>} */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The nearest of `places` in the direction of an arrow key: distance along it plus twice aside.
 * @param {{key: string, box: Box}[]} places
 * @param {Point} from
 * @param {string} arrow
 * @param {string | null} [exceptKey]
 * @returns {string | null} */
export function neighbourOf(places, [x, y], arrow, exceptKey) {
  const [dx, dy] = ARROWS[arrow];
  /** @type {string | null} */
  let best = null;
  let least = Infinity;
  for (const { key, box } of places) {
    const [otherX, otherY] = centreOf(box);
    const along = (otherX - x) * dx + (otherY - y) * dy;
    const aside = Math.abs((otherX - x) * dy) + Math.abs((otherY - y) * dx);
    if (key === exceptKey || along <= 0.5 || along + 2 * aside >= least) continue;
    best = key;
    least = along + 2 * aside;
  }
  return best;
}

/** A point in `area` (a box) that lies in none of `taken`, near the middle: tried on growing rings.
 * @type {(area: Box, taken: Box[], step: number) => Point} */
export function freeSpot(area, taken, step) {
  const [cx, cy] = centreOf(area);
  const inside = grown(area, -step);
  for (let ring = 0; ring < 14; ring += 1) {
    const count = Math.max(1, ring * 6);
    for (let turn = 0; turn < count; turn += 1) {
      const angle = (turn / count) * 2 * Math.PI;
      const [x, y] = [cx + Math.cos(angle) * ring * step, cy + Math.sin(angle) * ring * step];
      if (holds(inside, x, y) && !taken.some((box) => holds(grown(box, step), x, y))) return [x, y];
    }
  }
  return [cx, cy];
}
