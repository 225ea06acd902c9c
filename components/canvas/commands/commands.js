// Commands of the canvas: each key, click and button ends in one of these.

import { count } from "../../desk/dom.js";
import { isMarked } from "../../desk/edges.js";
import { PANZOOM_PAN_PX, PANZOOM_STEP } from "../../figure/gestures.js";
import { createChecking } from "./checking.js";
import { createEdges } from "./edges.js";
import { ARROWS, centreOf, neighbourOf } from "../geometry.js";
import { createJoining } from "./joining.js";
import { createMany } from "./many.js";
import { createMending } from "./mending.js";
import { createNaming } from "./naming.js";
import { createPicking } from "./picking.js";

/** Commands of the canvas, named as in the table of keys. They call each other by `c.commands`.
 * @param {import("../types.d.ts").Canvas} c */
export const createCommands = (c) => ({
  ...createPicking(c),
  ...createEdges(c),
  ...createNaming(c),
  ...createChecking(c),
  ...createMending(c),
  ...createMany(c),
  ...createJoining(c),
  ...createMoving(c),
  ...createStepping(c),
});

/** @param {import("../types.d.ts").Canvas} c */
const nodeHere = (c) => {
  const place = c.here();
  return place !== null && c.graph.view().nodes.has(place.name) ? place : null;
};

/** Moving, renaming and removing the chosen node or edge; undo; the menu of a name. @param {import("../types.d.ts").Canvas} c */
function createMoving(c) {
  const { ui } = c;

  function timeTravel(kind) {
    if (!c.can(kind)) return c.say(`Nothing to ${kind}.`);
    c.commands.disarm();
    if (c.act(kind, {}) !== null) c.say(kind === "undo" ? "Undone." : "Redone.");
    return c.draw();
  }

  function menuOf(place, clientX, clientY) {
    const { commands } = c;
    const name = commands.existing(place.name, place.kind === "word");
    const goTo = (act) => () => {
      commands.choose("node", name);
      c.focusOn("node", name);
      act();
    };
    const goThere = () => {
      commands.choose(place.kind, place.key);
      c.focusOn(place.kind, place.key);
      commands.reread();
    };
    const entries = [
      ["Rename", () => commands.renameTo(name)],
      ["Move", goTo(commands.move)],
      ["Draw self-loop", goTo(commands.loop)],
      [ui.focus === name ? "Show all edges" : "Show its edges", goTo(commands.focus)],
      ["Remove", () => commands.removeNode(name)],
      ...(place.node?.box ? [["Read again", goTo(commands.reread)]] : []),
    ];
    const fresh = [
      ["Make node", () => commands.pickPlace(place, true)],
      ["Correct name", () => commands.mendText(place)],
      ["Read again", goThere],
      ["Draw from here", () => commands.pickPlace(place, false)],
      [`Mark ${place.isDismissed ? "as" : "not"} variable`, () => commands.dismiss(place.name, !place.isDismissed)],
    ];
    const at = c.commands.idsAt(name ?? place.name).length;
    const proposed =
      at > 0
        ? [
            [`Accept ${count(at, "proposal")} here`, () => c.commands.answerAt("accept", name ?? place.name)],
            [`Reject ${count(at, "proposal")} here`, () => c.commands.answerAt("refuse", name ?? place.name)],
          ]
        : [];
    const items = [...(name === null ? fresh : entries), ...proposed];
    const box = c.viewport.getBoundingClientRect();
    const shown = c.isEditable() ? items : [(name !== null && entries[3]) || ["Close", () => {}]];
    c.menu.open(clientX - box.left, clientY - box.top, place.name, shown);
  }

  return {
    menuOf,
    menuHere() {
      const place = c.here();
      if (place === null) return;
      const box = c.viewport.getBoundingClientRect();
      const nodeBox = c.scene.boxes.get(place.name);
      const { x, y } = nodeBox ? c.panZoom.toScreen(...centreOf(nodeBox)) : { x: box.left + 20, y: box.top + 20 };
      menuOf(place, x, y);
    },
    move() {
      const place = nodeHere(c);
      if (place === null || !c.isEditable()) return c.say("Choose a node first.");
      const [x, y] = centreOf(c.scene.boxes.get(place.name) ?? c.panZoom.seen());
      ui.move = { name: place.name, x, y };
      c.home().focus({ preventScroll: true });
      return c.draw();
    },
    putHere() {
      if (ui.move === null) return;
      const { name, x, y } = ui.move;
      ui.move = null;
      c.commands.moveTo(name, c.inside(x, y));
    },
    rename() {
      const place = c.here();
      if (place === null || !c.isEditable()) return;
      if (nodeHere(c) !== null) c.commands.renameTo(place.name);
      else if (place.kind === "word") c.commands.mendText(place);
    },
    remove() {
      const edge = ui.proposal === null ? c.commands.selected() : null; // a proposal is rejected, not removed
      if (edge !== null) return c.commands.removeEdge(edge);
      const place = nodeHere(c);
      return place === null ? c.say("Choose an edge or a node to remove.") : c.commands.removeNode(place.name);
    },
    undo: () => timeTravel("undo"),
    redo: () => timeTravel("redo"),
  };
}

/** Navigation by keys, and cancelling. @param {import("../types.d.ts").Canvas} c */
function createStepping(c) {
  const { ui } = c;

  /** Steps of Esc, one at a time: [whether it applies, its end]. */
  const STEPS_BACK = [
    [() => ui.move !== null, () => (ui.move = null)],
    [() => ui.region !== null, () => c.commands.endRegion()],
    [() => ui.run.length > 1, () => (ui.run = [])],
    [() => ui.typed !== "" || ui.armed !== null || isMarked(ui.mark), () => c.commands.disarm()],
    [() => ui.proposal !== null, () => Object.assign(ui, { proposal: null, chosen: null })],
    [() => ui.chosen !== null, () => (ui.chosen = null)],
    [() => c.commands.selected() !== null, () => c.selection.select(null)],
    [() => ui.focus !== null, () => (ui.focus = null)],
    [() => ui.sweep !== null, () => c.sweep.end()],
    [c.fullWindow.isFull, () => c.commands.fullWindow()],
  ];

  return {
    pick(event) {
      if (ui.move !== null) return c.commands.putHere();
      if (ui.region !== null) return c.commands.answerRegion("accept");
      const at = c.focused();
      if (at === null ? ui.proposal !== null : at.kind === "proposal") return c.commands.accept();
      if (at !== null) return c.commands.press(at.kind, at.key, event.shiftKey);
      if (ui.sweep?.kind === "word") return c.commands.press("word", ui.sweep.key, true);
      return c.say("Arrow keys go to a node, Enter chooses it.");
    },
    step(event) {
      if (ui.move !== null) return c.nudge(event.key, 6);
      if (ui.region !== null) return c.commands.stepRegion(event);
      const from = c.whereNow();
      const key = neighbourOf(c.scene.places, from.at, event.key, from.key);
      const place = c.scene.places.find((each) => each.key === key);
      if (!place) return c.say("No node in that direction.");
      c.commands.choose(place.kind, place.key);
      ui.proposal = null;
      c.draw();
      return c.focusOn(place.kind, place.key);
    },
    pan(event) {
      if (ui.move !== null) return c.nudge(event.key, 40);
      if (ui.region !== null) return c.commands.stepRegion(event);
      const [dx, dy] = ARROWS[event.key];
      return c.panZoom.panBy(-dx * PANZOOM_PAN_PX, -dy * PANZOOM_PAN_PX, true);
    },
    zoom(event) {
      const letter = event.key.toUpperCase();
      if (letter === "F") c.panZoom.fit(true);
      else c.panZoom.zoomBy(letter === "I" ? PANZOOM_STEP : 1 / PANZOOM_STEP, undefined, undefined, true);
    },
    find: () => c.isEditable() && c.commands.openNames({ label: "Find or make a node" }),
    takeBack() {
      if (ui.typed !== "") ui.typed = ui.typed.slice(0, -1);
      else if (ui.armed !== null) c.commands.disarm();
      c.draw();
    },
    cancel() {
      const step = STEPS_BACK.find(([isThere]) => isThere());
      c.pointer.release();
      if (step) step[1]();
      else c.home().focus({ preventScroll: true });
      c.draw();
    },
    loop() {
      const place = c.here();
      return place === null ? c.say("Choose a node first.") : c.commands.connectPlaces(place, place);
    },
    hints() {
      Object.assign(ui, { hints: !ui.hints, typed: "" });
      const how = "Hints are on: type the code of the source, then of the sink. H turns them off.";
      c.say(ui.hints ? how : "Hints are off.");
      c.draw();
    },
    focus() {
      const name = c.here()?.name ?? null;
      ui.focus = ui.focus !== null && (name === null || ui.focus === name) ? null : name;
      c.say(ui.focus === null ? "All edges are shown." : `Only ${ui.focus} and its edges.`);
      c.draw();
    },
    help: () => c.sheet.open(),
    fullWindow() {
      const isOn = !c.fullWindow.isFull();
      c.fullWindow.set(isOn);
      c.say(isOn ? "The canvas fills the window. F or Esc goes back." : "The canvas is beside the list.");
      c.draw();
    },
    toLine() {
      c.fullWindow.set(false);
      c.toLine();
    },
  };
}
