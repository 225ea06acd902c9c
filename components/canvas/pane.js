// The pane of the figure, and over it the graph as it is drawn.

import { make } from "../desk/dom.js";
import { NO_MARK } from "../desk/edges.js";
import { shelfOf } from "../desk/shelf.js";
import { createPageImage } from "../figure/page_image.js";
import { createPanZoom } from "../figure/panzoom.js";
import { createAround } from "./around/around.js";
import { createCommands } from "./commands/commands.js";
import { createDrawing } from "./drawing.js";
import { createFullWindow } from "./full_window.js";
import { HINT_LETTERS, typeHint } from "./hints.js";
import { KEY_TABLE } from "./key_table.js";
import { createMenu, createNameBox } from "./names.js";
import { createHints } from "./parts.js";
import { createPointer } from "./pointer.js";
import { createSweep } from "./sweep.js";
import { createWhere } from "./where.js";

const NARROW_PX = 560; // there a finger scrolls the page over a whole figure, which it could not over an enlarged one
const LEGIBLE_PX = 9;

const SLIGHT = 1.3; // lettering this much smaller is read more easily than a figure without its edges

/** Scale at which a figure opens: 0 for the whole of it, or, where that leaves its lettering far too small in a window of
 * this size in pixels, the scale at which all but the smallest printed words have letters of `LEGIBLE_PX`.
 * A letter takes about 0.6 of its height across, so the area of a word is known in however many lines it is printed.
 * @param {{words: {text: string, box: import("../figure/shapes.d.ts").Box}[], figure: {width: number, height: number}}} data
 * @param {{width: number, height: number}} space */
export function openingScale({ words, figure }, space) {
  const letters = words
    .map(({ text, box: [x0, y0, x1, y1] }) => Math.sqrt(((x1 - x0) * (y1 - y0)) / (0.6 * Math.max(text.length, 1))))
    .sort((a, b) => a - b);
  if (letters.length === 0 || space.width < NARROW_PX) return 0;
  const legible = LEGIBLE_PX / Math.max(letters[Math.floor(letters.length / 4)], 1);
  return legible > SLIGHT * Math.min(space.width / figure.width, space.height / figure.height) ? legible : 0;
}

const letterOf = ({ key, ctrlKey, metaKey }) => (key.length > 1 || ctrlKey || metaKey ? "" : key);

/** @returns {import("./types.d.ts").CanvasUi} */
const freshUi = () => ({
  chosen: null,
  armed: null,
  mark: NO_MARK,
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

/** Shared object of the parts of a canvas: the frame of the desk, extended here and nowhere else. A part is
 * made from it and reaches the others through it, so none may be asked for before all are there.
 * @param {import("../desk/types.d.ts").Frame} frame
 * @param {ReturnType<typeof import("../desk/selection.js").createSelection>} selection
 * @returns {import("./types.d.ts").Canvas} */
function assembled(frame, selection, { keepDraft }) {
  const content = make("div", { class: "pz-content" });
  const look = {
    class: "pz-viewport cv-viewport",
    tabindex: "0",
    role: "application",
    "aria-roledescription": "drawing",
  };
  const viewport = make("div", look, content);
  const root = make("div", { class: "pz-frame cv" }, viewport);
  frame.root.append(root); // first, so that what is made in it can be measured
  const scene = { places: [], lines: [], unplaced: [], boxes: new Map(), unit: 4 };
  /** @type {any} */
  const c = Object.assign(Object.create(frame), { root, viewport, content, ui: freshUi(), scene });
  const pane = frame.addPane({
    element: root,
    table: KEY_TABLE,
    commands: () => c.commands,
    onPress: (_press, event) => typeLetter(c, event),
  });
  Object.assign(c, pane, {
    say: (text) => c.around.say(text),
    home: () => viewport,
    /** Draw this pane alone: an unfinished action does not change the others. */
    draw: () => c.drawings.ask(drawPane),
    sweepName: () => (c.ui.sweep?.kind === "node" ? c.ui.sweep.name : null),
    selection: selection.paneOf(() => c.commands.hearSelection()),
    hints: createHints(c.subject),
    ...createWhere(c),
    ...createDrawing(c),
  });
  function drawPane() {
    c.drawGraph();
    c.around.draw();
    c.around.drawn();
  }
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
  /** Asked whenever the figure opens or its window changes: the list next to it comes later and narrows it. */
  function legible() {
    const scale = openingScale(c.data, { width: viewport.clientWidth, height: viewport.clientHeight });
    root.toggleAttribute("data-small", scale > 0);
    return scale;
  }
  c.panZoom = createPanZoom(viewport, content, {
    width,
    height,
    origin,
    frame: c.root,
    dragPans: (event) => !c.pointer?.wouldDraw(event),
    onGesture: () => c.pointer.release(),
    onChange: c.setScale,
    legible,
  });
  c.around.foot.append(c.panZoom.tools());
  c.pointer = createPointer(c);
  return c;
}

/** With hints on letters are codes; a space is between two of them. Return whether the press was one.
 * @param {import("./types.d.ts").Canvas} c
 * @param {KeyboardEvent} event */
function typeLetter(c, event) {
  const { ui } = c;
  const letter = letterOf(event);
  if (!ui.hints || letter === "") return false;
  if (letter === " ") return true;
  if (ui.move !== null || !HINT_LETTERS.includes(letter)) return false;
  const codes = c.hints.codesFor(c.scene, c.graph.view());
  const shown = new Set([...c.scene.places, ...c.scene.unplaced].map(({ name }) => name));
  const { typed, key, isMiss } = typeHint(codes, shown, ui.typed, letter);
  if (isMiss) c.say(`No node has the code ${ui.typed}${letter}.`);
  ui.typed = typed;
  if (key === null) c.draw();
  else c.commands.pickPlace(c.scene.places.find(({ name }) => name === key) ?? { kind: "node", key, name: key }, false);
  return true;
}

/** The pane, for the desk that it is on.
 * @param {import("../desk/types.d.ts").Frame} frame
 * @param {ReturnType<typeof import("../desk/selection.js").createSelection>} selection */
export function createFigure(frame, selection) {
  const draftShelf = shelfOf(`edgewise.canvas-draft.${encodeURIComponent(frame.subject)}`);
  const keepDraft = (draft) => draft?.mode !== "rename" && draftShelf.write(draft?.text ? draft : null);
  const c = assembled(frame, selection, { keepDraft });
  const { viewport, around } = c;

  function restoreDraft() {
    const draft = draftShelf.read();
    if (draft?.mode !== "place" || typeof draft.text !== "string" || !c.data.editable) return;
    const point =
      Array.isArray(draft.at) || draft.at === null ? null : c.inside(Number(draft.at.x) || 0, Number(draft.at.y) || 0);
    c.commands.openNames({ point, value: draft.text });
  }

  return {
    element: c.root,
    say: c.say,
    focus: () => c.isEditable() && !c.nameBox.isOpen() && viewport.focus({ preventScroll: true }),
    draw() {
      c.drawGraph();
      around.draw();
    },
    drawn: around.drawn,
    receive({ figure }) {
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
    remedies: around.remedies,
    close() {
      c.fullWindow.set(false);
      c.pointer.stop();
      c.panZoom.destroy();
    },
  };
}
