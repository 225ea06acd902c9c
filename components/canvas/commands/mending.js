// Corrections: an edge reversed or moved to another name, a proposal accepted so. Part of the commands of the canvas.

import { arrowText } from "../../desk/edges.js";
import { alongLine } from "../geometry.js";

const GRIP_BACK = 3; // units of the figure between a line's end and the ring that is dragged, so that names stay free

/** The two drag rings of a line: [{end, x, y}], a little inside its ends. */
function gripsOf({ curve, points }, unit) {
  const step = ([x, y], place) => Math.hypot(x - points[place][0], y - points[place][1]);
  const length = points.slice(1).reduce((sum, point, place) => sum + step(point, place), 0);
  const share = length > 0 ? Math.min((GRIP_BACK * unit) / length, 0.25) : 0;
  const ring = (end, at) => ({ end, ...alongLine(curve.points, at) });
  return [ring("source", share), ring("sink", 1 - share)];
}

/** Commands that correct edges. @param {import("../types.d.ts").Canvas} c */
export function createMending(c) {
  const { ui } = c;
  const view = () => c.graph.view();

  /** The target of a correction: the current proposal, else the selected edge. */
  function target() {
    const proposal = ui.proposal === null ? null : (view().proposals.get(ui.proposal) ?? null);
    if (proposal !== null) return { kind: "proposal", key: proposal.id, edge: proposal };
    const edge = c.commands.selected();
    return edge === null ? null : { kind: "edge", key: edge.id, edge };
  }

  const boxOf = (name) => c.scene.boxes.get(name) ?? c.scene.places.find((place) => place.name === name)?.box ?? null;

  /** Explain why nothing was done, also in the line below the figure. */
  function explain(why) {
    c.say(why);
    c.draw();
  }

  const isDrawn = ({ source, sink, sign }) =>
    [...view().edges.values()].some((edge) => edge.source === source && edge.sink === sink && edge.sign === sign);

  function acceptAs(proposal, source, sink) {
    const done = () => c.act("accept_as", { proposal_id: proposal.id, source, sink });
    return c.commands.answer(done, "accept", `Accepted: ${source} to ${sink}`);
  }

  function reverse() {
    const at = target();
    if (at === null) return void explain("No edge is selected.");
    const { id, source, sink, sign } = at.edge;
    if (source === sink) return void explain("A self-loop cannot be reversed.");
    if (at.kind === "proposal") return void acceptAs(at.edge, sink, source);
    if (isDrawn({ source: sink, sink: source, sign }))
      return void explain(`${sink} to ${source} exists already. Remove one of the two.`);
    if (c.act("reverse_edge", { edge_id: id }) === null) return undefined;
    c.say(`Reversed: ${sink} to ${source}.`);
    return void c.draw();
  }

  /** Move an `end` of the target to the name. */
  function lead(at, end, name) {
    const { id, source, sink, sign } = at.edge;
    if (at.edge[end] === name) return void c.draw();
    const ends = { source, sink, [end]: name };
    if (at.kind === "proposal") return void acceptAs(at.edge, ends.source, ends.sink);
    if (isDrawn({ ...ends, sign })) return void explain(`${ends.source} to ${ends.sink} exists already.`);
    if (c.act("edit_edge", { edge_id: id, field: end, value: name }) === null) return undefined;
    c.say(`Now ${ends.source} to ${ends.sink}.`);
    return void c.draw();
  }

  /** The node of a typed name; created from the printed name if necessary. */
  function nodeFor(text) {
    const word = c.commands.wordFor(text);
    return c.commands.existing(text, word?.name === text) ?? (word ? c.commands.ensure(word) : text);
  }

  function retype(end) {
    const at = target();
    if (at === null || !c.isEditable()) return void explain("No edge is selected.");
    c.nameBox.open({
      box: boxOf(at.edge[end]),
      value: "",
      label: `New ${end} of ${arrowText(at.edge)}`,
      names: c.allNames().filter((name) => name !== at.edge[end]),
      at: null,
      mode: "rename",
      onTake: (text) => {
        const now = (at.kind === "proposal" ? view().proposals : view().edges).get(at.key);
        const name = now ? nodeFor(text) : null;
        if (name !== null) lead({ ...at, edge: now }, end, name);
        c.home().focus({ preventScroll: true });
      },
      onLeave: () => c.home().focus({ preventScroll: true }),
    });
    return undefined;
  }

  return {
    reverse: () => reverse(),
    retype: (event) => retype(event.key === "<" || event.key === "," ? "source" : "sink"),
    retypeSource: () => retype("source"),
    retypeSink: () => retype("sink"),
    /** Rings of the selected edge or the current proposal, with the box of the fixed end. */
    grips() {
      const at = c.isEditable() && ui.move === null && ui.armed === null ? target() : null;
      const line = at && c.scene.lines.find(({ kind, key, isStub }) => kind === at.kind && key === at.key && !isStub);
      if (!at || !line) return [];
      const stays = { source: boxOf(at.edge.sink), sink: boxOf(at.edge.source) };
      return gripsOf(line, c.scene.unit).map((grip) => ({ ...grip, at, stays: stays[grip.end] }));
    },
    /** Handle a ring dropped on a place; null: on none. */
    leadTo({ at, end }, place) {
      const name = place === null ? null : c.commands.ensure(place);
      if (name === null) return explain("Release over a node to move the end there.");
      return lead(at, end, name);
    },
  };
}
