// The transcription canvas. One canvas lives on one shadow root; every rerun only hands it new data, so that zoom,
// focus, what is picked and what is typed survive. Names are hostile: text goes in by textContent and value only.

import { make } from "../desk/dom.js";
import { deedsOf, focusWhenFree, isTextField, pressOf } from "../desk/keys.js";
import { keptOn } from "../desk/mounted.js";
import { cleanName } from "../desk/names.js";
import { createOutbox } from "../desk/outbox.js";
import { createPageImage } from "../figure/page_image.js";
import { createPanZoom } from "../figure/panzoom.js";
import { createAround } from "./around.js";
import { createChoice } from "./choice.js";
import { createDeeds } from "./commands.js";
import { ARROWS, centreOf, clampTo, freeSpot, holds } from "./geometry.js";
import { createGraph } from "./graph.js";
import { HINT_LETTERS, typeHint } from "./hints.js";
import { CANVAS_KEYS } from "./key_table.js";
import { createMenu, createNameBox } from "./names.js";
import { createPainter, setAttributes, svg } from "./paint.js";
import { createChips, createHints, shelfOf } from "./parts.js";
import { createPointer } from "./pointer.js";
import { sceneOf } from "./scene.js";
import { createSweep } from "./sweep.js";

const DENSE_EDGES = 60; // from here on marks are drawn smaller, so that the print stays legible

const DEED_OF = deedsOf(CANVAS_KEYS);

function createCanvas(host, first) {
  const subject = first.subject;
  const content = make("div", { class: "pz-content" });
  const viewport = make(
    "div",
    { class: "pz-viewport cv-viewport", tabindex: "0", role: "application", "aria-roledescription": "drawing" },
    content,
  );
  const root = make("div", { class: "pz-frame cv" });
  /** @type {import("./types.d.ts").CanvasUi} */
  const ui = {
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
  };
  const courses = new Map();
  const draftShelf = shelfOf(`edgewise.canvas-draft.${encodeURIComponent(subject)}`);
  let isAdding = false;
  let hovered = null;
  /** @type {import("./types.d.ts").At | null} */
  let pointed = null;

  /** @type {import("./types.d.ts").Scene} */
  const scene = { places: [], lines: [], unplaced: [], boxes: new Map(), unit: 4 };
  const c = { root, viewport, content, ui, data: first, scene };

  // -- the figure and what is drawn over it
  const overlay = svg("svg", { class: "pz-overlay cv-overlay", preserveAspectRatio: "none" });
  const shifted = svg("g");
  overlay.append(shifted);
  const chipLayer = make("div", { class: "pz-overlay cv-chips", "aria-hidden": "true" });
  content.append(overlay, chipLayer);
  const chips = createChips(chipLayer);
  const painter = createPainter(shifted);
  const picture = createPageImage(viewport, content);
  const outbox = createOutbox({ subject: `canvas ${subject}`, send: () => {}, onChange: () => heard() });
  const graph = createGraph(() => outbox.pending());
  c.graph = graph;
  const choice = createChoice(c);
  const sweep = createSweep(c);
  c.sweep = sweep;
  c.hints = createHints(subject);

  root.append(viewport);
  const around = createAround(c, outbox);
  c.nameBox = createNameBox(viewport, {
    placeOn: (box, at) => placeBox(box, at),
    canTake: () => c.isEditable(),
    onDraft: (draft) => draft?.mode !== "rename" && draftShelf.write(draft?.text ? draft : null),
    onRefused: () =>
      c.say(c.data.halted ? "This copy is stale. Nothing is added." : "This graph is closed to changes."),
  });
  c.menu = createMenu(viewport, { onClose: () => c.home().focus({ preventScroll: true }) });

  function placeBox(box, at) {
    const room = viewport.getBoundingClientRect();
    const width = Math.min(280, room.width - 16);
    box.style.width = `${width}px`;
    const on =
      at === null
        ? { x: room.left + room.width / 2, y: room.top + room.height * 0.3 }
        : c.panZoom.toScreen((at[0] + at[2]) / 2, at[3]);
    box.style.left = `${clampTo(on.x - room.left - width / 2, 8, room.width - width - 8)}px`;
    box.style.top = `${clampTo(on.y - room.top + 8, 8, Math.max(8, room.height - 90))}px`;
  }

  // -- what the deeds ask of the canvas
  Object.assign(c, {
    isEditable: () => c.data.editable && !c.data.halted,
    say: (text) => around.say(text),
    home: () => viewport,
    placeOf: (kind, key) => c.scene.places.find((place) => place.kind === kind && place.key === key) ?? null,
    sweepName: () => (ui.sweep?.kind === "node" ? ui.sweep.name : null),
    can: (kind) =>
      c.isEditable() && ((kind === "undo" ? c.data.can_undo : c.data.can_redo) || outbox.pending().length > 0),
    act(kind, payload) {
      if (!c.isEditable()) {
        c.say(c.data.halted ? "This copy is stale. Nothing is changed." : "This graph is closed to changes.");
        return null;
      }
      isAdding = true;
      const act = outbox.add(kind, payload);
      isAdding = false;
      graph.did(act);
      c.draw();
      return act;
    },
    inside(x, y) {
      const {
        origin: [left, top],
        width,
        height,
      } = c.data.figure;
      const round = (value) => Math.round(value * 100) / 100;
      return { x: round(clampTo(x, left, left + width)), y: round(clampTo(y, top, top + height)) };
    },
    clipped([x0, y0, x1, y1]) {
      const [from, to] = [c.inside(x0, y0), c.inside(x1, y1)];
      return [from.x, from.y, to.x, to.y];
    },
    freeSpot() {
      const [x, y] = freeSpot(
        c.panZoom.seen(),
        c.scene.places.map(({ box }) => box),
        c.scene.unit * 4,
      );
      return c.inside(x, y);
    },
    allNames: () =>
      [
        ...new Set([...graph.view().nodes.keys(), ...c.data.words.map(({ text }) => cleanName(text)), ...c.data.names]),
      ].filter(Boolean),
    focused() {
      const group = host.activeElement?.closest?.("g[data-key]");
      return group ? { kind: group.dataset.kind, key: group.dataset.key } : null;
    },
    /** The name that a key means: the focused one, else the chosen or picked one. */
    here() {
      const focused = c.focused();
      const inTray = host.activeElement?.dataset?.name;
      const asPlace = (name) =>
        c.scene.places.find((place) => place.kind === "node" && place.key === name) ??
        (graph.view().nodes.has(name) ? { kind: "node", key: name, name, isUnplaced: true } : null);
      if (inTray !== undefined) return asPlace(inTray);
      if (focused?.kind === "node" || focused?.kind === "word") return c.placeOf(focused.kind, focused.key);
      if (ui.chosen?.kind === "word") return c.placeOf("word", ui.chosen.key);
      if (ui.chosen?.kind === "node") return asPlace(ui.chosen.key);
      return ui.armed === null ? null : asPlace(ui.armed);
    },
    whereNow() {
      const focused = c.focused();
      const line = c.scene.lines.find(({ kind, key }) => kind === focused?.kind && key === focused.key);
      if (line) return { at: [line.curve.middle.x, line.curve.middle.y], key: null };
      const place = c.here();
      if (place?.box) return { at: centreOf(place.box), key: place.key };
      const [x0, y0] = c.panZoom.seen();
      return { at: [x0 - 1, y0 - 1], key: null }; // the first key press goes to the name nearest the upper left corner
    },
    focusOn(kind, key) {
      const group = painter.groupOf(kind, key);
      if (group === null)
        return (around.tray.querySelector(`[data-name="${CSS.escape(key)}"]`) ?? viewport).focus({
          preventScroll: true,
        });
      group.focus({ preventScroll: true });
      const box =
        c.placeOf(kind, key)?.box ?? c.scene.lines.find((line) => line.kind === kind && line.key === key)?.bounds;
      return box && c.panZoom.reveal(box);
    },
    nudge(key, px) {
      const { move } = ui;
      if (move === null) return;
      const [dx, dy] = ARROWS[key];
      const step = px / c.panZoom.scale;
      Object.assign(move, c.inside(move.x + dx * step, move.y + dy * step));
      c.panZoom.reveal([move.x, move.y, move.x, move.y]);
      c.draw();
    },
    setHints(on) {
      ui.hints = on;
      ui.typed = "";
      c.say(on ? "Hints are on: type the code of the source, then of the sink. H turns them off." : "Hints are off.");
      c.draw();
    },
    hover(place, point) {
      pointed = point;
      if (hovered !== (place?.key ?? null)) {
        hovered = place?.key ?? null;
        drawChips();
      }
      drawPending();
    },
    /** The pending edge while it is dragged: to `point`; null ends it. */
    drawBand(point, mode, place) {
      if (point === null) {
        pointed = null;
        return drawPending();
      }
      if (mode === "move") return painter.band([point.x, point.y, point.x, point.y], [point.x, point.y + 0.01]);
      return painter.band(place.box ?? [point.x, point.y, point.x, point.y], [point.x, point.y], ui.sign, ui.delay);
    },
    draw() {
      drawGraph();
      around.draw();
      choice.tell();
      choice.share();
    },
  });

  // -- drawing
  function litBy() {
    const focus = ui.focus ?? null;
    const centre = focus ?? c.sweepName();
    if (centre === null) return [null, () => true];
    const touches =
      focus !== null ? (edge) => edge.source === centre || edge.sink === centre : (edge) => edge.source === centre;
    const lit = new Set([centre]);
    for (const edge of graph.view().edges.values()) if (touches(edge)) lit.add(edge.source).add(edge.sink);
    return [lit, touches];
  }

  function drawGraph() {
    const view = graph.view();
    c.scene = sceneOf(view, c.data, courses);
    if (ui.chosen?.kind === "edge" && !view.edges.has(ui.chosen.key)) ui.chosen = null;
    if (ui.armed !== null && !view.nodes.has(ui.armed)) ui.armed = null;
    sweep.check();
    const [lit, litEdge] = litBy();
    const focused = c.focused();
    root.toggleAttribute("data-dense", view.edges.size > DENSE_EDGES);
    painter.draw(c.scene, { ...ui, lit, litEdge, swept: ui.sweep?.name ?? null });
    painter.grips(c.deeds.grips());
    if (focused !== null && c.focused() === null) keepFocus(focused);
    setTabStop();
    drawChips();
    drawPending();
  }

  /** What had the focus was drawn anew as something else: a printed name became a node, or it is gone. */
  function keepFocus({ kind, key }) {
    const word = kind === "word" ? c.data.words[Number(key.slice(2))] : null;
    const group = word ? painter.groupOf("node", cleanName(word.text)) : null;
    (group ?? viewport).focus({ preventScroll: true });
  }

  /** @type {import("./types.d.ts").Choice | null} */
  let tabStop = null;
  function setTabStop() {
    const at =
      c.focused() ?? (tabStop && painter.groupOf(tabStop.kind, tabStop.key) ? tabStop : (c.scene.places[0] ?? null));
    if (at === null) return;
    const before = tabStop && painter.groupOf(tabStop.kind, tabStop.key);
    if (before) before.setAttribute("tabindex", "-1");
    tabStop = { kind: at.kind, key: at.key };
    painter.groupOf(at.kind, at.key)?.setAttribute("tabindex", "0");
  }

  function drawChips() {
    /** @type {import("./parts.js").Chip[]} */
    const items = [];
    const codes = ui.hints ? c.hints.codesFor(c.scene, graph.view()) : null;
    const focused = c.focused();
    for (const { kind, key, name, box, isPoint } of c.scene.places) {
      if (codes?.has(name)) {
        const code = codes.get(name);
        const isOn = code.startsWith(ui.typed);
        items.push({
          key: `h:${kind}:${key}`,
          kind: "hint",
          text: code,
          box,
          look: isOn ? "" : "off",
          typed: isOn ? ui.typed.length : 0,
        });
      }
      const isNamed =
        hovered === key || focused?.key === key || (isPoint && (ui.armed === name || ui.chosen?.key === key));
      if (isNamed) items.push({ key: `n:${kind}:${key}`, kind: "name", text: name, box });
    }
    if (ui.move !== null)
      items.push({
        key: "move",
        kind: "name",
        text: ui.move.name,
        box: [ui.move.x, ui.move.y, ui.move.x, ui.move.y],
        look: "cross",
      });
    chips.draw(items, c.data.figure);
    around.drawTray(codes);
  }

  function drawPending() {
    if (ui.drag !== null) return;
    const source = ui.armed ?? c.sweepName();
    const from = source === null ? null : (c.scene.boxes.get(source) ?? null);
    if (from === null || pointed === null || holds(from, pointed.x, pointed.y)) painter.band(null);
    else painter.band(from, [pointed.x, pointed.y], ui.sign, ui.delay);
  }

  /** The outbox took over acts of a closed tab, or the connection changed. */
  function heard() {
    if (isAdding || !c.deeds) return;
    if (graph.sync()) c.draw();
    else around.drawStatus();
  }

  // -- keys: before pan and zoom hears them
  root.addEventListener("keydown", (event) => {
    if (isTextField(event.target) || event.altKey || event.isComposing) return;
    const onButton = event.target.tagName === "BUTTON";
    if (onButton && (event.key === "Enter" || event.key === " ")) return;
    if (!onKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
  });

  function onKey(event) {
    const press = pressOf(event);
    const plain = !event.ctrlKey && !event.metaKey;
    if (plain && ui.hints && event.key === " ") return true; // between two codes
    if (plain && ui.hints && ui.move === null && event.key.length === 1 && HINT_LETTERS.includes(event.key))
      return typeLetter(event.key);
    const deed =
      DEED_OF.get(press) ?? (plain && event.key.length === 1 ? DEED_OF.get(event.key.toUpperCase()) : undefined);
    if (deed === undefined) return false;
    if (event.repeat && !["step", "pan", "zoom", "undo", "redo", "nextEdge"].includes(deed)) return true;
    c.deeds[deed](event);
    return true;
  }

  function typeLetter(letter) {
    const codes = c.hints.codesFor(c.scene, graph.view());
    const shown = new Set([...c.scene.places.map(({ name }) => name), ...c.scene.unplaced.map(({ name }) => name)]);
    const { typed, key, isMiss } = typeHint(codes, shown, ui.typed, letter);
    if (isMiss) c.say(`No node has the code ${ui.typed}${letter}.`);
    ui.typed = typed;
    if (key === null) c.draw();
    else c.deeds.pickPlace(c.scene.places.find(({ name }) => name === key) ?? { kind: "node", key, name: key }, false);
    return true;
  }

  overlay.addEventListener("focusin", () => {
    setTabStop();
    drawChips();
  });
  overlay.addEventListener("focusout", () => queueMicrotask(drawChips));

  // -- the rest is set up once everything above is there
  c.deeds = createDeeds(c);
  setShape();
  host.querySelector("[data-canvas]").append(root);
  c.pointer = null;
  c.panZoom = createPanZoom(viewport, content, {
    width: first.figure.width,
    height: first.figure.height,
    origin: first.figure.origin,
    frame: root,
    dragPans: (event) => c.pointer === null || !c.pointer.wouldDraw(event),
    onGesture: () => c.pointer.release(),
    onChange: (scale) => overlay.style.setProperty("--px", String(1 / scale)),
  });
  around.foot.append(c.panZoom.tools());
  c.pointer = createPointer(c);

  function setShape() {
    const { width, height, height_px } = c.data.figure;
    root.style.setProperty("--pz-height", `${height_px}px`);
    root.style.setProperty("--pz-aspect", `${width} / ${height}`);
  }

  const wantsFocus = () => c.data.takes_focus && c.isEditable() && !c.nameBox.isOpen();
  const toFigure = () => viewport.focus();
  addEventListener("edgewise:to-figure", toFigure);

  let isFirst = true;
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
      setShape();
      viewport.setAttribute("aria-label", `${figure.alt}. Press ? for all keys.`);
      setAttributes(overlay, { viewBox: `0 0 ${figure.width} ${figure.height}` });
      setAttributes(shifted, { transform: `translate(${-figure.origin[0]} ${-figure.origin[1]})` });
      picture.show(figure.image_url, figure.alt);
      c.panZoom.setContent(figure.width, figure.height, figure.origin);
      choice.hear();
      c.draw();
      sweep.follow();
      for (const refused of returned) around.refuse(refused);
      if (isFirst) restoreDraft();
      if (isFirst) focusWhenFree(root, wantsFocus, () => viewport.focus({ preventScroll: true }));
      isFirst = false;
    },
    close() {
      removeEventListener("edgewise:to-figure", toFigure);
      choice.stop();
      outbox.close();
      c.pointer.stop();
      c.panZoom.destroy();
      root.remove();
    },
  };
}

export default keptOn(createCanvas);
