// Commands of keys and buttons of the labelling desk. Every level is an act of the outbox.

import { placesOfWords } from "../view.js";
import { LEVELS, nextMissing, steppedNode } from "./view.js";

/** @typedef {import("../../desk/types.d.ts").Frame} Frame */

/** @param {Frame} c */
export function createCommands(c) {
  const { ui } = c;

  function choose(node) {
    Object.assign(ui, { node, place: -1 });
    c.draw();
    c.nodes.reveal();
    c.text.forgetPlace();
    if (node === null) return;
    const level = c.view.levels.get(node);
    c.say(`${node}: ${level === undefined ? "no level" : LEVELS.get(level)}`);
  }

  function setLevel(node, level) {
    if (c.isClosed()) return;
    if (c.view.levels.get(node) !== level && c.act("label", { node, level }) === null) return;
    const next = nextMissing(c.view, c.data.nodes, node);
    choose(next ?? node);
    c.say(`${node}: ${LEVELS.get(level)}. ${next === null ? "All labelled: Enter submits." : `${next}?`}`);
  }

  return {
    choose,
    setLevel,
    label({ key }) {
      const node = ui.node ?? c.view.missing[0] ?? null;
      if (node === null) return void c.say("Choose a node first (n).");
      setLevel(node, Number(key));
    },
    clear() {
      if (c.isClosed()) return;
      if (ui.node === null || !c.view.levels.has(ui.node)) return void c.say("This node has no level to clear.");
      c.act("label", { node: ui.node, level: null });
      c.say("Level cleared.");
    },
    next: () => choose(steppedNode(c.data.nodes, ui.node, 1)),
    previous: () => choose(steppedNode(c.data.nodes, ui.node, -1)),
    find() {
      if (ui.node === null) return;
      const places = placesOfWords(c.text.text(), ui.node);
      if (places.length === 0) return void c.say(`“${ui.node}” is not in the text as a name. Search with /.`);
      ui.place = (ui.place + 1) % places.length;
      c.text.revealPlace(places[ui.place], ui.node.length);
      c.say(`Place ${ui.place + 1} of ${places.length}.`);
    },
    enter() {
      if (c.data.state !== "open") return void c.ask("next");
      if (c.isClosed()) return;
      const [first] = c.view.missing;
      if (first !== undefined) return void choose(nextMissing(c.view, c.data.nodes, ui.node) ?? first);
      c.act("submit_levels");
      c.say("Submitting.");
    },
    search: () => c.search.open(),
  };
}
