// What is drawn of a graph and how: colours, places in the stage's CSS pixels, strength, marks. Given to a `.figure`.
async ({ figure }) => {
  const from = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/graph/picture.js"));
  const { markWords } = await import(new URL("marks.js", from.name).href);
  const { network, facts } = figure;
  const [nodes, edges] = [Object.create(null), Object.create(null)]; // an id may be __proto__
  const seen = { nodes, edges, marks: figure.drawnMarks ?? [], scale: network.getScale(), halo: figure.palette.halo };
  for (const [number, fact] of facts) {
    const drawn = network.body[fact.kind === "node" ? "nodes" : "edges"][number];
    const { options } = drawn;
    const { style } = fact[fact.kind];
    const strength = figure.full === null || figure.full.has(number) ? 1 : figure.palette.dim;
    const common = { style, hidden: Boolean(options.hidden), strength, says: fact.text };
    if (fact.kind === "node") {
      const { background, border } = options.color;
      const { borderDashes, borderRadius } = options.shapeProperties;
      seen.nodes[fact.id] = {
        ...common,
        ...network.canvasToDOM({ x: drawn.x, y: drawn.y }),
        width: drawn.shape.width,
        height: drawn.shape.height,
        background,
        border,
        ink: options.font.color,
        dashed: borderDashes !== false,
        radius: borderRadius,
        found: figure.hits.has(number),
        chosen: drawn.selected,
        badge: fact.node.badge,
      };
    } else {
      const spots = figure.spots.get(number); // only of an edge with a mark
      const middle = () => drawn.edgeType.getPoint(0.5, drawn.edgeType.getViaNode());
      seen.edges[fact.id] = {
        ...common,
        colour: options.color.color,
        dashes: options.dashes,
        width: options.width,
        heads: Number(options.arrows.to.enabled) + Number(options.arrows.from.enabled),
        text: markWords(fact.edge),
        middle: drawn.connected && network.canvasToDOM(spots?.middle ?? middle()),
        sign: spots && network.canvasToDOM(spots.head),
        chosen: drawn.selected,
      };
    }
  }
  return JSON.stringify(seen);
};
