// The transcription canvas: the figure, and over it the graph as it is drawn.

import { make } from "../desk/dom.js";
import { deskOn } from "../desk/frame.js";
import { createSelection } from "../desk/selection.js";
import { shelfOf } from "../desk/shelf.js";
import { createPageImage } from "../figure/page_image.js";
import { createPanZoom } from "../figure/panzoom.js";
import { createAround, describe } from "./around/around.js";
import { createCommands } from "./commands/commands.js";
import { createDrawing } from "./drawing.js";
import { createFullWindow } from "./full_window.js";
import { createGraph } from "./graph.js";
import { HINT_LETTERS, typeHint } from "./hints.js";
import { KEY_TABLE } from "./key_table.js";
import { createMenu, createNameBox } from "./names.js";
import { createHints } from "./parts.js";
import { createPointer } from "./pointer.js";
import { createSweep } from "./sweep.js";
import { createWhere } from "./where.js";

const letterOf = ({ key, ctrlKey, metaKey }) => (key.length > 1 || ctrlKey || metaKey ? "" : key);

export default deskOn({
  queue: "canvas",
  table: KEY_TABLE,
  root: () => make("div", { class: "pz-frame cv" }),
  viewOf: () => null, // the graph under the acts that wait is folded in graph.js
  closed: ({ editable }) => (editable ? "" : "This graph is closed to changes."),
  create: createCanvas,
});

/** @returns {import("./types.d.ts").CanvasUi} */
const freshUi = () => ({
  chosen: null,
  armed: null,
  sign: "",
  delay: false,
  typed: "",
  focus: null,
  proposal: null,
  move: null,
  hints: false,
  drag: null,
  edgesOf: null,
  sweep: null,
  region: null,
  run: [],
  rereading: null,
});

/** What the parts of a canvas share, put onto its frame here and nowhere else. A part is made from it and reaches the
 * others through it, so none may be asked for before all are there.
 * @param {import("../desk/types.d.ts").Frame} frame
 * @returns {import("./types.d.ts").Canvas} */
function assembled(frame, { keepDraft }) {
  const content = make("div", { class: "pz-content" });
  const look = {
    class: "pz-viewport cv-viewport",
    tabindex: "0",
    role: "application",
    "aria-roledescription": "drawing",
  };
  const viewport = make("div", look, content);
  const scene = { places: [], lines: [], unplaced: [], boxes: new Map(), unit: 4 };
  /** @type {any} */
  const c = Object.assign(frame, { viewport, content, ui: freshUi(), scene });
  c.root.prepend(viewport);
  Object.assign(c, {
    say: (text) => c.around.say(text),
    home: () => viewport,
    sweepName: () => (c.ui.sweep?.kind === "node" ? c.ui.sweep.name : null),
    selection: createSelection(c.subject, () => c.commands.hearSelection()),
    graph: createGraph(c.pending),
    hints: createHints(c.subject),
    ...createWhere(c),
    ...createDrawing(c),
  });
  c.fullWindow = createFullWindow(c);
  c.picture = createPageImage(viewport, content);
  c.sweep = createSweep(c);
  c.around = createAround(c);
  c.nameBox = createNameBox(viewport, {
    placeOn: c.placeBox,
    canTake: c.isEditable,
    onDraft: keepDraft,
    onRefused: () =>
      c.say(c.data.halted ? "This copy is stale. Nothing is added." : "This graph is closed to changes."),
  });
  c.menu = createMenu(viewport, { onClose: () => viewport.focus({ preventScroll: true }) });
  c.commands = createCommands(c);
  c.setShape();
  const { width, height, origin } = c.data.figure;
  c.panZoom = createPanZoom(viewport, content, {
    width,
    height,
    origin,
    frame: c.root,
    dragPans: (event) => !c.pointer?.wouldDraw(event),
    onGesture: () => c.pointer.release(),
    onChange: c.setScale,
  });
  c.around.foot.append(c.panZoom.tools());
  c.pointer = createPointer(c);
  return c;
}

/** @param {import("../desk/types.d.ts").Frame} frame
 * @returns {import("../desk/types.d.ts").Desk} */
function createCanvas(frame) {
  const draftShelf = shelfOf(`edgewise.canvas-draft.${encodeURIComponent(frame.subject)}`);
  const keepDraft = (draft) => draft?.mode !== "rename" && draftShelf.write(draft?.text ? draft : null);
  const c = assembled(frame, { keepDraft });
  const { viewport, ui, graph, around } = c;

  function typeLetter(letter) {
    const codes = c.hints.codesFor(c.scene, graph.view());
    const shown = new Set([...c.scene.places, ...c.scene.unplaced].map(({ name }) => name));
    const { typed, key, isMiss } = typeHint(codes, shown, ui.typed, letter);
    if (isMiss) c.say(`No node has the code ${ui.typed}${letter}.`);
    ui.typed = typed;
    if (key === null) c.draw();
    else
      c.commands.pickPlace(c.scene.places.find(({ name }) => name === key) ?? { kind: "node", key, name: key }, false);
    return true;
  }

  const toFigure = () => viewport.focus();
  addEventListener("edgewise:to-figure", toFigure);

  function restoreDraft() {
    const draft = draftShelf.read();
    if (draft?.mode !== "place" || typeof draft.text !== "string" || !c.data.editable) return;
    const point =
      Array.isArray(draft.at) || draft.at === null ? null : c.inside(Number(draft.at.x) || 0, Number(draft.at.y) || 0);
    c.commands.openNames({ point, value: draft.text });
  }

  return {
    commands: c.commands,
    focus: () => c.isEditable() && !c.nameBox.isOpen() && viewport.focus({ preventScroll: true }),
    draw() {
      c.drawGraph();
      around.draw();
    },
    drawn: around.drawn,
    acted(act) {
      c.selection.acted(act);
      graph.did(act);
    },
    relaid: () => void graph.sync(),
    /** With hints on letters are codes; a space is between two of them. */
    onPress(_press, event) {
      const letter = letterOf(event);
      if (!ui.hints || letter === "") return false;
      if (letter === " ") return true;
      return ui.move === null && HINT_LETTERS.includes(letter) && typeLetter(letter);
    },
    receive(next) {
      const { figure } = next;
      graph.receive(next);
      c.setShape();
      viewport.setAttribute("aria-label", `${figure.alt}. Press ? for all keys.`);
      c.picture.show(figure.image_url, figure.alt);
      c.panZoom.setContent(figure.width, figure.height, figure.origin);
      c.commands.hearReading();
    },
    begin() {
      c.draw();
      restoreDraft();
    },
    settled: () => c.sweep.follow(),
    refused: (act) => describe(act, graph.view().edges),
    remedies: around.remedies,
    close() {
      removeEventListener("edgewise:to-figure", toFigure);
      c.fullWindow.set(false);
      c.selection.close();
      c.pointer.stop();
      c.panZoom.destroy();
    },
  };
}
