// State of a canvas for the line under the figure: a state of `bar.js`, or the next step in a sentence.

import { count } from "../../desk/dom.js";
import { joinedName } from "../joining.js";

/** @typedef {import("../types.d.ts").Canvas} Canvas */

/** Texts that were chosen together: those of the region, or nodes that were Shift-clicked one after the other.
 * @param {Canvas} c @returns {[string, object] | null} */
function chosenTogether(c) {
  if (c.ui.region !== null) {
    const { proposals, places } = c.commands.inRegion();
    const name = places.length > 1 ? joinedName(places) : "";
    return ["region", { proposals: proposals.length, texts: places.length, name }];
  }
  const places = c.ui.run.length > 1 && c.ui.armed === null && c.isEditable() ? c.commands.toJoin() : [];
  return places.length > 1 ? ["run", { names: places.map(({ name }) => name), name: joinedName(places) }] : null;
}

/** [kind, state for the bar]. @param {Canvas} c @returns {[string, object]} */
export function goingOn(c) {
  const view = c.graph.view();
  const { armed, mark, typed, move } = c.ui;
  const certain = [...view.proposals.values()].filter(({ is_certain: isCertain }) => isCertain).length;
  const total = view.proposals.size;
  if (move !== null) return ["move", { move }];
  const proposal = view.proposals.get(c.ui.proposal ?? "");
  if (proposal)
    return ["proposal", { proposal, place: 1 + [...view.proposals.keys()].indexOf(proposal.id), total, certain }];
  const together = chosenTogether(c);
  if (together !== null) return together;
  if (armed !== null) return ["armed", { armed, mark, typed, proposed: c.commands.idsAt(armed).length }];
  if (typed !== "") return ["typed", { typed }];
  return atRest(c, view, total, certain);
}

/** State without anything started: the selected edge, else the next step. @returns {[string, object]} */
function atRest(c, view, total, certain) {
  const edge = c.commands.selected();
  if (!c.isEditable())
    return edge ? ["looked", { edge }] : ["idle", { hint: c.data.halted ? "This copy is stale." : "", proposals: 0 }];
  if (edge) return ["edge", { edge, flags: c.data.flags }];
  return ["idle", { hint: nextStep(c, view, certain), proposals: c.ui.sweep === null ? total : 0, certain }];
}

const IN_SWEEP = {
  node: "Draw missing edges: click the sink, or type its code. T: no more.",
  word: "T: not a variable. Enter or click: make node.",
  arrow: "Click the source, then the sink. T: not an edge. b: next.",
};

/** Words when every node is swept and every text answered; "" before. */
function endOf({ left, arrows }) {
  if (left === 0) return "All nodes are swept. Submit when you are ready.";
  return left === arrows ? `${count(arrows, "printed arrow")} without an edge. b: show the next.` : "";
}

/** The next step, in a sentence. @param {Canvas} c @param {import("../../transcription/types.d.ts").View} view @param {number} certain */
function nextStep(c, view, certain) {
  if (c.ui.sweep !== null) return IN_SWEEP[c.ui.sweep.kind];
  const proposed = view.proposals.size;
  if (proposed > 0)
    return `${count(proposed, "edge")} proposed${certain > 0 ? `, ${certain} certain` : ""}. Review them or draw edges.`;
  const isPrinted = c.scene.places.some(({ kind }) => kind === "word");
  if (view.nodes.size === 0 && !isPrinted) return "Click a variable in the figure and type its name, or press /.";
  const hasEdges = view.edges.size > 0;
  const ended = hasEdges ? endOf(c.sweep.counts()) : "";
  if (ended) return ended;
  if (matchMedia("(pointer: coarse)").matches)
    return `Tap the source, then the sink.${hasEdges ? " Then sweep for missing edges." : ""}`;
  const then = hasEdges ? "Then sweep for missing edges (S)." : "? shows all keys.";
  return `Click the source, then the sink; or H and type their codes. ${then}`;
}
