// The shapes of a graph's picture: nodes with their names, edges between their borders. Names go in by textContent.

const SVG = "http://www.w3.org/2000/svg";
const LINE_PX = 15.5; // from one line of a name to the next
const LANE_PX = 9; // from one of two lines of an edge to the other

export function draw(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** Where a line from the middle of `box` towards `to` leaves the box. */
function borderOf(box, to) {
  const [dx, dy] = [to.x - box.x, to.y - box.y];
  if (dx === 0 && dy === 0) return [box.x, box.y];
  const scale = Math.min(
    dx === 0 ? Infinity : box.width / 2 / Math.abs(dx),
    dy === 0 ? Infinity : box.height / 2 / Math.abs(dy),
    1,
  );
  return [box.x + dx * scale, box.y + dy * scale];
}

/** The course of an edge and the place of its word. */
function courseOf([from, to], { lane, isPaired }) {
  if (from === to) {
    const [x, y] = [from.x + from.width / 4, from.y - from.height / 2];
    return { path: `M${x},${y} c20,-40 -60,-40 -${from.width / 2},0`, word: [from.x, y - 34] };
  }
  const [[x1, y1], [x2, y2]] = [borderOf(from, to), borderOf(to, from)];
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const turn = (isPaired ? 0.14 : 0) + (2 * lane * LANE_PX) / length;
  const [cx, cy] = [(x1 + x2) / 2 - (y2 - y1) * turn, (y1 + y2) / 2 + (x2 - x1) * turn];
  return { path: `M${x1},${y1} Q${cx},${cy} ${x2},${y2}`, word: [(x1 + 2 * cx + x2) / 4, (y1 + 2 * cy + y2) / 4] };
}

/** A line of an edge between two `nodes`; its word is shown where its state is "reversed". `onClick`: null where it
 * belongs to no item of the sheet. */
export function edgeShape(nodes, edge, onClick) {
  const { path, word } = courseOf(nodes, edge);
  const line = draw("path", { class: "vd-line", d: path, "marker-end": "url(#vd-head)" });
  const wide = draw("path", { class: "vd-wide", d: path });
  const said = draw("text", { class: "vd-word", x: word[0], y: word[1] });
  said.textContent = "reversed";
  const group = draw("g", { class: "vd-edge" }, wide, line, said, draw("title", {}));
  if (onClick === null) group.classList.add("vd-still");
  else group.addEventListener("click", onClick);
  return group;
}

/** A link between two nodes that may be one, or that are by somebody's word. */
export function linkShape([from, to], link, onClick) {
  const [[x1, y1], [x2, y2]] = [borderOf(from, to), borderOf(to, from)];
  const path = `M${x1},${y1} L${x2},${y2}`;
  const title = draw("title", {});
  title.textContent =
    link.by === "maybe"
      ? "Maybe one node: their names are alike. Click, or press a, to draw them as one."
      : `One node, says ${link.by}; another counterpart is named too.`;
  const group = draw(
    "g",
    { class: "vd-link", "data-by": link.by },
    draw("path", { class: "vd-wide", d: path }),
    draw("path", { class: "vd-tie", d: path }),
    title,
  );
  group.addEventListener("click", onClick);
  return group;
}

/** A node `n`; `onClick` as for an edge. */
export function nodeShape(node, n, onClick) {
  const box = draw("rect", {
    x: node.x - node.width / 2,
    y: node.y - node.height / 2,
    width: node.width,
    height: node.height,
    rx: 6,
  });
  const { lines } = node;
  const label = draw("text", { x: node.x, y: node.y - ((lines.length - 1) * LINE_PX) / 2 });
  lines.forEach((line, place) => {
    const part = draw("tspan", { x: node.x, dy: place === 0 ? 0 : LINE_PX });
    part.textContent = line;
    label.append(part);
  });
  const group = draw("g", { class: "vd-node", "data-node": n }, box, label, draw("title", {}));
  if (onClick !== null) group.addEventListener("click", onClick);
  return group;
}

/** A short line as an edge of this state is drawn, for a legend. */
export function sampleLine(state) {
  const line = draw("path", { class: "vd-line", d: "M3,6 L31,6", "marker-end": "url(#vd-head)" });
  const edge = draw("g", { class: "vd-edge", "data-state": state }, line);
  return draw("svg", { class: "vd-sample", viewBox: "0 0 36 12", width: 36, height: 12, "aria-hidden": "true" }, edge);
}
