// Commands on the selected edge, by key, mouse or touch.

const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8, Home: "first", End: "last" };
const SIGNS = { "+": "+", "=": "+", "-": "-", "−": "-", 0: "" };

/** @param {import("../desk/types.d.ts").Frame} c */
export function createCommands(c) {
  const selected = () => c.graph.view().edges.get(c.selection.id() ?? "") ?? null;
  const setField = (id, field, value) => c.act("edit_edge", { edge_id: id, field, value });

  function setSign(sign) {
    const edge = selected();
    if (edge && edge.sign !== sign) setField(edge.id, "sign", sign);
  }

  return {
    selected,
    setField,
    setSign,
    step: ({ key }) => c.list.step(STEPS[key]),
    toLine: () => c.line.focus(),
    sign: ({ key }) => setSign(SIGNS[key]),
    cycleSign(id) {
      const sign = c.graph.view().edges.get(id)?.sign;
      c.list.select(id);
      setField(id, "sign", sign === "" ? "+" : sign === "+" ? "-" : "");
    },
    toggleDelay() {
      const edge = selected();
      if (edge) setField(edge.id, "delay", !edge.delay);
    },
    nextFlag() {
      const edge = selected();
      const all = ["", ...c.data.flags];
      if (edge) setField(edge.id, "flag", all[(all.indexOf(edge.flag) + 1) % all.length]);
    },
    remove() {
      const edge = selected();
      if (edge === null) return;
      const shown = c.list.shownRows();
      const at = shown.indexOf(c.list.nodeOf(edge.id));
      const next = shown[at + 1] ?? shown[at - 1];
      const isFocused = c.list.nodeOf(edge.id).contains(c.focused());
      if (c.act("delete_edge", { edge_id: edge.id }) !== null && isFocused) next?.focus({ preventScroll: true });
    },
    editNote: () => c.editing.note(),
    editEnds: () => c.editing.ends(c.selection.id()),
  };
}
