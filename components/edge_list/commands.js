// What a person does to the chosen edge, by key, mouse or touch.

export function createDeeds(c) {
  const chosen = () => c.view.edges.find((edge) => edge.id === c.ui.chosen);
  const setField = (id, field, value) => c.act("edit_edge", { edge_id: id, field, value });

  function setSign(sign) {
    const edge = chosen();
    if (edge && edge.sign !== sign) setField(edge.id, "sign", sign);
  }

  function cycleSign(id) {
    const sign = c.view.edges.find((edge) => edge.id === id)?.sign;
    c.list.choose(id);
    setField(id, "sign", sign === "" ? "+" : sign === "+" ? "-" : "");
  }

  function toggleDelay() {
    const edge = chosen();
    if (edge) setField(edge.id, "delay", !edge.delay);
  }

  function nextFlag() {
    const edge = chosen();
    const all = ["", ...c.data.flags];
    if (edge) setField(edge.id, "flag", all[(all.indexOf(edge.flag) + 1) % all.length]);
  }

  function remove() {
    const edge = chosen();
    if (!edge || edge.state === "gone") return;
    const shown = c.list.shownRows();
    const at = shown.indexOf(c.list.nodeOf(edge.id));
    c.act("delete_edge", { edge_id: edge.id });
    const next = shown[at + 1] ?? shown[at - 1];
    if (next && c.list.nodeOf(edge.id)?.contains(c.focused())) next.focus({ preventScroll: true });
  }

  const editNote = () => c.editing.note();
  const editEnds = () => c.editing.ends(c.ui.chosen);
  /** @type {[string, number | string][]} */
  const steps = [
    ["ArrowDown", 1],
    ["ArrowUp", -1],
    ["PageDown", 8],
    ["PageUp", -8],
    ["Home", "first"],
    ["End", "last"],
  ];
  /** @type {[string, () => void][]} */
  const deeds = [
    ...steps.map(/** @returns {[string, () => void]} */ ([key, target]) => [key, () => c.list.step(target)]),
    ["Escape", () => c.line.focus()],
    ["+", () => setSign("+")],
    ["=", () => setSign("+")],
    ["-", () => setSign("-")],
    ["−", () => setSign("-")],
    ["0", () => setSign("")],
    ["d", toggleDelay],
    ["f", nextFlag],
    ["n", editNote],
    ["Enter", editEnds],
    ["Delete", remove],
    ["Backspace", remove],
  ];

  return { byKey: new Map(deeds), chosen, setField, setSign, cycleSign, toggleDelay, remove, editNote, editEnds };
}
