// The transcription canvas. One canvas lives on one shadow root; every rerun only hands it new data, so that zoom,
// focus, what is picked and what is typed survive. Names are hostile: text goes in by textContent and value only.

import { make } from "../desk/dom.js";
import { commandsOf, focusWhenFree, isTextField, pressOf } from "../desk/keys.js";
import { keptOn } from "../desk/mounted.js";
import { createOutbox } from "../desk/outbox.js";
import { shelfOf } from "../desk/shelf.js";
import { createPageImage } from "../figure/page_image.js";
import { createPanZoom } from "../figure/panzoom.js";
import { createAround } from "./around.js";
import { createChoice } from "./choice.js";
import { createDeeds } from "./commands.js";
import { createDrawing } from "./drawing.js";
import { createGraph } from "./graph.js";
import { HINT_LETTERS, typeHint } from "./hints.js";
import { KEY_TABLE } from "./key_table.js";
import { createMenu, createNameBox } from "./names.js";
import { createHints } from "./parts.js";
import { createPointer } from "./pointer.js";
import { createSweep } from "./sweep.js";
import { createWhere } from "./where.js";

const COMMANDS = commandsOf(KEY_TABLE);
const isButton = (element) => element.tagName === "BUTTON";
const letterOf = ({ key, ctrlKey, metaKey }) => (key.length > 1 || ctrlKey || metaKey ? "" : key);

/** @returns {import("./types.d.ts").CanvasUi} */
const freshUi = () => ({
  chosen: null,
  last: null,
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
});

/** What the parts of a canvas share, made here and nowhere else. A part is made from it and reaches the others through
 * it, so none may be asked for before all are there.
 * @returns {import("./types.d.ts").Canvas} */
function assembled(host, first, outbox, { act, keepDraft }) {
  const content = make("div", { class: "pz-content" });
  const look = {
    class: "pz-viewport cv-viewport",
    tabindex: "0",
    role: "application",
    "aria-roledescription": "drawing",
  };
  const viewport = make("div", look, content);
  const root = make("div", { class: "pz-frame cv" }, viewport);
  const scene = { places: [], lines: [], unplaced: [], boxes: new Map(), unit: 4 };
  /** @type {any} */
  const c = { host, root, viewport, content, ui: freshUi(), data: first, scene };
  Object.assign(c, {
    isEditable: () => c.data.editable && !c.data.halted,
    say: (text) => c.around.say(text),
    home: () => viewport,
    sweepName: () => (c.ui.sweep?.kind === "node" ? c.ui.sweep.name : null),
    can: (kind) =>
      c.isEditable() && ((kind === "undo" ? c.data.can_undo : c.data.can_redo) || outbox.pending().length > 0),
    act,
    draw() {
      c.drawGraph();
      c.around.draw();
      c.choice.tell();
      c.choice.share();
    },
    graph: createGraph(() => outbox.pending()),
    hints: createHints(first.subject),
    ...createWhere(c),
    ...createDrawing(c),
  });
  c.picture = createPageImage(viewport, content);
  c.choice = createChoice(c);
  c.sweep = createSweep(c);
  c.around = createAround(c, outbox);
  c.nameBox = createNameBox(viewport, {
    placeOn: c.placeBox,
    canTake: c.isEditable,
    onDraft: keepDraft,
    onRefused: () =>
      c.say(c.data.halted ? "This copy is stale. Nothing is added." : "This graph is closed to changes."),
  });
  c.menu = createMenu(viewport, { onClose: () => viewport.focus({ preventScroll: true }) });
  c.deeds = createDeeds(c);
  c.setShape();
  host.querySelector("[data-canvas]").append(root);
  const { width, height, origin } = first.figure;
  c.panZoom = createPanZoom(viewport, content, {
    width,
    height,
    origin,
    frame: root,
    dragPans: (event) => !c.pointer?.wouldDraw(event),
    onGesture: () => c.pointer.release(),
    onChange: c.setScale,
  });
  c.around.foot.append(c.panZoom.tools());
  c.pointer = createPointer(c);
  return c;
}

function createCanvas(host, first) {
  const { subject } = first;
  const draftShelf = shelfOf(`edgewise.canvas-draft.${encodeURIComponent(subject)}`);
  const outbox = createOutbox({ subject: `canvas ${subject}`, send: () => {}, onChange: () => heard() });
  const keepDraft = (draft) => draft?.mode !== "rename" && draftShelf.write(draft?.text ? draft : null);
  const c = assembled(host, first, outbox, { act, keepDraft });
  const { root, viewport, ui, graph, around } = c;
  let isAdding = false;
  let isFirst = true;

  function act(kind, payload) {
    if (!c.isEditable()) {
      c.say(c.data.halted ? "This copy is stale. Nothing is changed." : "This graph is closed to changes.");
      return null;
    }
    isAdding = true;
    const added = outbox.add(kind, payload);
    isAdding = false;
    graph.did(added);
    c.draw();
    return added;
  }

  /** The outbox took over acts of a closed tab, or the connection changed. */
  function heard() {
    if (isAdding) return;
    if (graph.sync()) c.draw();
    else around.drawStatus();
  }

  // -- keys: before pan and zoom hears them
  root.addEventListener("keydown", (event) => {
    if (isTextField(event.target) || event.altKey || event.isComposing) return;
    if (isButton(event.target) && (event.key === "Enter" || event.key === " ")) return;
    if (!onKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
  });

  function onKey(event) {
    const letter = letterOf(event);
    if (ui.hints && letter === " ") return true; // between two codes
    if (ui.hints && ui.move === null && letter && HINT_LETTERS.includes(letter)) return typeLetter(letter);
    const key = COMMANDS.get(pressOf(event));
    if (key === undefined) return false;
    if (!event.repeat || key.repeats) c.deeds[key.command](event);
    return true;
  }

  function typeLetter(letter) {
    const codes = c.hints.codesFor(c.scene, graph.view());
    const shown = new Set([...c.scene.places, ...c.scene.unplaced].map(({ name }) => name));
    const { typed, key, isMiss } = typeHint(codes, shown, ui.typed, letter);
    if (isMiss) c.say(`No node has the code ${ui.typed}${letter}.`);
    ui.typed = typed;
    if (key === null) c.draw();
    else c.deeds.pickPlace(c.scene.places.find(({ name }) => name === key) ?? { kind: "node", key, name: key }, false);
    return true;
  }

  const wantsFocus = () => c.data.takes_focus && c.isEditable() && !c.nameBox.isOpen();
  const toFigure = () => viewport.focus();
  addEventListener("edgewise:to-figure", toFigure);

  function restoreDraft() {
    const draft = draftShelf.read();
    if (draft?.mode !== "place" || typeof draft.text !== "string" || !c.data.editable) return;
    const point =
      Array.isArray(draft.at) || draft.at === null ? null : c.inside(Number(draft.at.x) || 0, Number(draft.at.y) || 0);
    c.deeds.openNames({ point, value: draft.text });
  }

  return {
    subject,
    receive(next, setStateValue) {
      c.data = next;
      c.setState = setStateValue;
      const { figure } = next;
      const returned = outbox.receive({ ...next, send: (value) => setStateValue("outbox", value) });
      graph.receive(next);
      c.setShape();
      viewport.setAttribute("aria-label", `${figure.alt}. Press ? for all keys.`);
      c.picture.show(figure.image_url, figure.alt);
      c.panZoom.setContent(figure.width, figure.height, figure.origin);
      c.choice.hear();
      c.draw();
      c.sweep.follow();
      for (const refused of returned) around.refuse(refused);
      if (isFirst) restoreDraft();
      if (isFirst) focusWhenFree(root, wantsFocus, () => viewport.focus({ preventScroll: true }));
      isFirst = false;
    },
    close() {
      removeEventListener("edgewise:to-figure", toFigure);
      c.choice.stop();
      outbox.close();
      c.pointer.stop();
      c.panZoom.destroy();
      root.remove();
    },
  };
}

export default keptOn(createCanvas);
