// Selection of edges, their sign, delay and flag, and removal. Part of the commands of the canvas.

import { markWords, signWord } from "../../desk/edges.js";
import { spokenLine } from "../paint.js";

const SIGNS = { "+": "+", "=": "+", "-": "-", "−": "-", 0: "" };

/** The commands about drawn edges. @param {import("../types.d.ts").Canvas} c */
export function createEdges(c) {
  const { ui } = c;
  const edges = () => c.graph.view().edges;
  const selected = () => edges().get(c.selection.id() ?? "") ?? null;
  /** True if a mark is for the edge that is being drawn. */
  const isForNext = () => c.commands.sourceNow() !== null && (ui.armed !== null || selected() === null);

  /** Cancel and deselect everything else: an act changes the selected edge. */
  function makeWay() {
    c.commands.disarm();
    Object.assign(ui, { chosen: null, proposal: null, edgesOf: null });
  }

  function selectEdge(key) {
    c.selection.select(key);
    makeWay();
  }

  function edit(field, value) {
    const edge = selected();
    if (edge === null) return void c.say("No edge is selected.");
    if (edge[field] === value) return undefined;
    const { id, source, sink } = edge;
    if (c.act("edit_edge", { edge_id: id, field, value }) === null) return undefined;
    const words = { sign: signWord(value), delay: value ? "delay" : "no delay", flag: value || "no flag" }[field];
    c.say(`${source} to ${sink}: ${words}.`);
    return void c.draw();
  }

  function setSign(sign) {
    if (!isForNext()) return edit("sign", sign);
    ui.mark = { ...ui.mark, sign: ui.mark.sign === sign ? "" : sign };
    return c.draw();
  }

  function toggleDelay() {
    if (!isForNext()) return edit("delay", !selected()?.delay);
    ui.mark = { ...ui.mark, delay: !ui.mark.delay };
    return c.draw();
  }

  return {
    selected,
    selectEdge,
    /** The list selected an edge, or deselected it. */
    hearSelection() {
      if (c.selection.id() !== null) makeWay();
      c.draw();
    },
    setSign,
    toggleDelay,
    setFlag: (flag) => edit("flag", flag),
    sign: (event) => setSign(SIGNS[event.key]),
    delay: toggleDelay,
    hasPrinted() {
      const edge = selected();
      return edge !== null && (edge.printed_sign !== "" || edge.printed_delay);
    },
    /** Set the sign and delay that are printed at the arrow under the edge. */
    takePrinted() {
      const edge = selected();
      if (edge === null) return;
      const { id, source, sink, printed_sign: sign, printed_delay: delay } = edge;
      if (sign && c.act("edit_edge", { edge_id: id, field: "sign", value: sign }) === null) return;
      if (delay && c.act("edit_edge", { edge_id: id, field: "delay", value: true }) === null) return;
      c.say(`${source} to ${sink}: ${markWords({ sign, delay }).join(", ")}.`);
      c.draw();
    },
    flag() {
      const flags = ["", ...c.data.flags];
      edit("flag", flags[(flags.indexOf(selected()?.flag ?? "") + 1) % flags.length]);
    },
    nextEdge() {
      const now = selected();
      const name = now === null ? (c.here()?.name ?? null) : ui.edgesOf;
      const near = [...edges().values()].filter(({ source, sink }) => name === null || [source, sink].includes(name));
      if (near.length === 0) return c.say("No edge here.");
      const next = near[(near.findIndex(({ id }) => id === now?.id) + 1) % near.length];
      selectEdge(next.id);
      ui.edgesOf = name;
      c.draw();
      c.focusOn("edge", next.id);
      return c.say(spokenLine("edge", next));
    },
    removeEdge({ id, source, sink }) {
      if (c.act("delete_edge", { edge_id: id }) === null) return;
      c.say(`Removed: ${source} to ${sink}. Ctrl Z brings it back.`);
      c.draw();
    },
  };
}
