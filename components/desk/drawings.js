// Drawings of a desk: an act asks for several, of all its parts and of one; each is done once, at the end of the act.

export function createDrawings() {
  /** @type {Set<() => void>} */
  const due = new Set();
  let depth = 0;

  return {
    /** Do `act`, then each drawing that it asked for, once. A drawing may ask for others.
     * @template T
     * @param {() => T} act */
    together(act) {
      depth += 1;
      try {
        return act();
      } finally {
        if (depth === 1)
          for (const draw of due) {
            due.delete(draw);
            draw();
          }
        depth -= 1;
      }
    },
    /** Draw now, or at the end of the act.
     * @param {() => void} draw */
    ask(draw) {
      if (depth === 0) draw();
      else due.add(draw);
    },
    /** Forget what was asked for: the whole desk is being drawn. */
    clear: () => due.clear(),
  };
}
