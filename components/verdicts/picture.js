// Both graphs on one picture: counterparts are drawn at the truth's place, and nothing else moves. Pure.

/** @typedef {import("./types.d.ts").VerdictData} VerdictData */
/** @typedef {import("./types.d.ts").LinkData} LinkData */

export const STATES = ["matched", "reversed", "spurious", "missed"];
const MOST_CHOICES = 9;

/** Places of nodes by their number in a graph ("truth" or "answer").
 * @param {VerdictData["nodes"]} nodes */
export const placesOf = (nodes, side) => {
  /** @type {Map<number, number>} */
  const places = new Map();
  nodes.forEach((node, place) => node[side] > 0 && places.set(node[side], place));
  return places;
};

/** Links with those over them that a user confirms or removes.
 * @param {LinkData[]} links @param {any[]} acts */
export function linked(links, acts) {
  let laid = links;
  for (const { truth, answer, is_one } of acts) {
    const isThis = (link) => link.truth === truth && link.answer === answer;
    const ownLink = { truth, answer, by: "you", is_one: true };
    const freed = (link) =>
      link.truth === truth || link.answer === answer ? { ...link, is_one: link.by === "you" && link.is_one } : link;
    laid = laid.filter((link) => !isThis(link)).map(is_one ? freed : (link) => link);
    if (is_one) laid = [ownLink, ...laid];
    else if (links.some((link) => isThis(link) && link.by !== "you")) laid = [...laid, ...links.filter(isThis)];
  }
  return laid;
}

/** The drawing. `into`: place of a node → place of the one that it is drawn as; an edge has its ends so, its number in
 * each graph and its state; two lines if both graphs have it and their labels differ.
 * @param {VerdictData} data @param {LinkData[]} links
 * @returns {import("./types.d.ts").PictureData} */
export function pictureOf(data, links) {
  const [truths, answers] = [placesOf(data.nodes, "truth"), placesOf(data.nodes, "answer")];
  const ends = links.map((link) => ({
    ...link,
    source: truths.get(link.truth) ?? -1,
    sink: answers.get(link.answer) ?? -1,
  }));
  const into = data.nodes.map((_node, place) => place);
  for (const { is_one, source, sink } of ends) if (is_one && source >= 0 && sink >= 0) into[sink] = source;
  const merged = new Map();
  for (const edge of data.edges) {
    const [source, sink] = [into[edge.source], into[edge.sink]];
    const existing = merged.get(`${source}>${sink}`);
    if (existing === undefined) merged.set(`${source}>${sink}`, { ...edge, source, sink });
    else Object.assign(existing, { truth: existing.truth || edge.truth, answer: existing.answer || edge.answer });
  }
  return {
    into,
    edges: [...merged.values()].flatMap((edge) => linesOf(data, edge)),
    links: tiesOf(ends, into),
  };
}

/** Links that are drawn as lines: of a user or a judge, and of similar names the likeliest of each node that is
 * one with no other. */
function tiesOf(ends, into) {
  const one = new Set(ends.flatMap(({ is_one, source, sink }) => (is_one ? [source, sink] : [])));
  const linkedSinks = new Set();
  return ends.flatMap((link) => {
    const { is_one, by, source, sink } = link;
    const isWorse = by === "maybe" && (one.has(source) || one.has(sink) || linkedSinks.has(sink));
    if (is_one || source < 0 || sink < 0 || isWorse) return [];
    linkedSinks.add(sink);
    return [{ ...link, sink: into[sink] }];
  });
}

/** Lines of an edge: one, or two if its labels against either graph differ. */
function linesOf({ states }, edge) {
  const [truth, answer] = [states.edge_recall[edge.truth] ?? "", states.edge_precision[edge.answer] ?? ""];
  if (truth === "" || answer === "" || truth === answer) return [{ ...edge, state: truth || answer, lane: 0 }];
  return [
    { ...edge, answer: 0, state: truth, lane: 1 },
    { ...edge, truth: 0, state: answer, lane: -1 },
  ];
}

/** The numbers of each node in both graphs, with those of its counterpart.
 * @param {VerdictData} data @param {number[]} into */
export function numbersOf({ nodes }, into) {
  const numbers = nodes.map(({ truth, answer }) => ({ truth, answer }));
  into.forEach((target, place) => {
    if (target !== place) numbers[target].answer = nodes[place].answer;
  });
  return numbers;
}

/** A node's state: by the labels of the sheet's own side first.
 * @param {VerdictData} data @param {{truth: number, answer: number}} node */
export function stateOfNode({ states, section }, node) {
  const [recall, precision] = [states.node_recall[node.truth], states.node_precision[node.answer]];
  return (section.endsWith("recall") ? (recall ?? precision) : (precision ?? recall)) ?? "";
}

/** A sheet's item on the picture: "" while nothing of its verdict may be shown.
 * @param {VerdictData} data */
export const stateOfItem = ({ states, section }, { number }) => states[section][number] ?? "";

/** Counts of nodes or edges by state, of the prediction and of the truth: {answer: {shown, matched …}, truth}.
 * @param {VerdictData} data */
export function countsOf({ states, section }) {
  const kind = section.startsWith("edge") ? "edge" : "node";
  /** @returns {Record<string, number>} */
  const many = (of) => {
    const values = Object.values(of);
    return {
      shown: values.length,
      ...Object.fromEntries(STATES.map((s) => [s, values.filter((f) => f === s).length])),
    };
  };
  return { answer: many(states[`${kind}_precision`]), truth: many(states[`${kind}_recall`]) };
}

/** Choices for an item's nodes: [{truth, answer, is_one, text}], a node's own words first, then candidates,
 * likeliest first.
 * @param {VerdictData} data @param {LinkData[]} links */
export function choicesOf(data, links, item) {
  const side = data.section.endsWith("recall") ? "truth" : "answer";
  const [truths, answers] = [placesOf(data.nodes, "truth"), placesOf(data.nodes, "answer")];
  const named = (place) => data.nodes[place ?? -1]?.name ?? "";
  const nameOf = (link) => `${named(truths.get(link.truth))} = ${named(answers.get(link.answer))}`;
  const numbers = item.at.map((place) => data.nodes[place][side]);
  return links
    .filter((link) => numbers.includes(link[side]))
    .map((link) => ({ ...link, text: nameOf(link) }))
    .map(({ truth, answer, by, is_one, text }) => ({
      truth,
      answer,
      is_one: by !== "you",
      text: by === "you" ? `Take back: ${text}` : is_one ? `${text} (as the judge says)` : text,
    }))
    .slice(0, MOST_CHOICES);
}

/** The typed counterpart of an item's node, by its name in the other graph; null for an unknown name.
 * @param {VerdictData} data */
export function typedLink(data, place, said) {
  const ownNode = data.nodes[place];
  const [side, other] = data.section.endsWith("recall") ? ["truth", "answer"] : ["answer", "truth"];
  const typedName = said.trim().toLowerCase();
  const match = data.nodes.find((node) => node[other] > 0 && node[side] === 0 && node.name.toLowerCase() === typedName);
  return match === undefined ? null : { [side]: ownNode[side], [other]: match[other], is_one: true };
}
