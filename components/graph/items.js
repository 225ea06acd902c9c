// Drawn items by number and by Edgewise's id, and the opacity of each.

/** A number for each id that stays the same while the figure lives (a name such as __proto__ is no key). */
export function numberOf(figure, name) {
  if (!figure.ids.has(name)) figure.ids.set(name, figure.nextId++);
  return figure.ids.get(name);
}

/** The number of a drawn node, or undefined. */
export function nodeNumber(figure, ref) {
  const number = figure.ids.get(`node ${ref}`);
  return figure.facts.has(number) ? number : undefined;
}

export function numbersOf(figure, refs) {
  const ids = new Set(refs);
  return [...figure.facts].filter(([, fact]) => ids.has(fact.id)).map(([number]) => number);
}

export function strengthOf(figure, number) {
  return figure.full === null || figure.full.has(number) ? 1 : figure.palette.dim;
}
