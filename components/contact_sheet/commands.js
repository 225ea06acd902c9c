// Commands of keys and buttons. Every decision is an act of the outbox; the next figure is chosen here.

import { inNextRow, nameOf, nextWaiting, stepped } from "./view.js";

const DECISION_WORDS = { located: "Located", "left out": "Left out", waiting: "Waiting again" };

/** @typedef {import("./types.d.ts").Decision} Decision */

/** @param {import("./types.d.ts").Sheet} c */
export function createCommands(c) {
  const { ui } = c;
  const ids = () => c.data.figures.map(({ id }) => id);
  const figureOf = (/** @type {string} */ id) => c.data.figures.find((each) => each.id === id);

  /** Make and announce a decision on one figure; return whether it changed anything.
   * @param {string} id
   * @param {Decision} decision */
  function decide(id, decision) {
    const was = c.view.decisions.get(id);
    const figure = figureOf(id);
    if (was === undefined || figure === undefined) return false; // of another sheet
    if (was !== decision) c.act("decide_figure", { figure: id, decision, was });
    c.say(`${DECISION_WORDS[decision]}: ${nameOf(figure)}. ${c.view.waiting} waiting on this sheet.`);
    return was !== decision;
  }

  /** @param {string} id @param {Decision} decision */
  function decideAndGo(id, decision) {
    if (c.isClosed()) return;
    const was = c.view.decisions.get(id);
    if (decide(id, decision)) ui.undo.push([id, was]);
    c.go(nextWaiting(ids(), c.view.decisions, id));
  }

  return {
    locate: () => decideAndGo(ui.current, "located"),
    leaveOut: () => decideAndGo(ui.current, "left out"),
    /** Decide by a button of the card.
     * @param {string} id
     * @param {Decision} decision */
    press(id, decision) {
      c.go(id);
      decideAndGo(id, decision);
    },
    undo() {
      const last = ui.undo.pop();
      if (last === undefined) return void c.say("There is nothing to undo.");
      const [id, before] = last;
      decide(id, before);
      c.go(id);
    },
    step: (/** @type {KeyboardEvent} */ { key }) => c.go(stepped(ids(), ui.current, key === "ArrowLeft" ? -1 : 1)),
    row: (/** @type {KeyboardEvent} */ { key }) =>
      c.go(inNextRow(c.cards.places(), ui.current, key === "ArrowUp" ? -1 : 1)),
    far: (/** @type {KeyboardEvent} */ { key }) => c.go(key === "Home" ? ids()[0] : ids().at(-1)),
    next() {
      if (ui.isGoing) return;
      if (c.pending().length > 0) return void c.say("Saving. Press again when it is saved.");
      ui.isGoing = true;
      c.ask("next");
      c.draw();
    },
    look: () => c.look.toggle(),
    open: () => void open(figureOf(ui.current)?.link, "_blank", "noopener"),
  };
}
