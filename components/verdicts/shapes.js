// The shapes of a graph's picture: nodes with their names, edges between their borders. Names go in by textContent.

const SVG = "http://www.w3.org/2000/svg";
const LINE_PX = 15.5; // from one line of a name to the next

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

/** An edge `n` of `data`; `onClick`: null where it belongs to no item of the sheet. */
export function edgeShape(data, edge, n, onClick) {
  const [from, to] = [data.nodes[edge.source], data.nodes[edge.sink]];
  const [x1, y1] = borderOf(from, to);
  const [x2, y2] = borderOf(to, from);
  const turn = data.edges.some((each) => each.source === edge.sink && each.sink === edge.source) ? 0.14 : 0;
  const middle = [(x1 + x2) / 2 - (y2 - y1) * turn, (y1 + y2) / 2 + (x2 - x1) * turn];
  const path =
    from === to
      ? `M${from.x + from.width / 4},${from.y - from.height / 2} c20,-40 -60,-40 -${from.width / 2},0`
      : `M${x1},${y1} Q${middle[0]},${middle[1]} ${x2},${y2}`;
  const line = draw("path", { class: "vd-line", d: path, "marker-end": "url(#vd-head)" });
  const wide = draw("path", { class: "vd-wide", d: path });
  const group = draw("g", { class: "vd-edge", "data-edge": n }, wide, line);
  if (onClick !== null) group.addEventListener("click", onClick);
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
  const title = draw("title", {});
  title.textContent = node.name;
  const group = draw("g", { class: "vd-node", "data-node": n, "data-side": node.side }, box, label, title);
  if (onClick !== null) group.addEventListener("click", onClick);
  return group;
}
