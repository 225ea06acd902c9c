// What a person can do on the canvas, whatever it is done with: each key, click and button ends in one of these.

import { foldName } from "../desk/names.js";
import { PANZOOM_PAN_PX, PANZOOM_STEP } from "../figure/panzoom.js";
import { createChecking } from "./checking.js";
import { ARROWS, centreOf, neighbourOf } from "./geometry.js";
import { createMending } from "./mending.js";
import { createNaming } from "./naming.js";
import { signWord, spokenLine } from "./paint.js";

/** The deeds on the canvas `c`. The names of those that keys set off stand in the table of keys. */
export function createDeeds(c) {
  const { ui } = c;
  const view = () => c.graph.view();
  const node = (name) => view().nodes.get(name) ?? null;
  const sourceNow = () => ui.armed ?? c.sweepName();
  const naming = createNaming(c);
  const checking = createChecking(c);
  const mending = createMending(c, naming);
  const { existing, ensure, openNames, rename, moveTo, removeNode } = naming;

  // -- picking and drawing

  function arm(name) {
    ui.armed = name;
    ui.proposal = null;
    c.say(`${name} is the source. Choose the sink.`);
  }

  function disarm() {
    ui.armed = null;
    ui.sign = "";
    ui.delay = false;
    ui.typed = "";
  }

  function connect(source, sink) {
    const { sign, delay } = ui;
    const same = [...view().edges.values()].find(
      (edge) => edge.source === source && edge.sink === sink && (sign === "" || edge.sign === sign),
    );
    if (same) {
      chooseLine(same.key);
      c.say(`${source} to ${sink} exists already and is now chosen.`);
      return;
    }
    const act = c.act("connect", { source, sink, sign, delay });
    if (act === null) return;
    chooseLine(act.id);
    c.say(`Drawn: ${source} to ${sink}${sign ? `, ${signWord(sign)}` : ""}${delay ? ", delay" : ""}.`);
  }

  /** A name was picked: it becomes the source, or the sink of the source that waits. */
  function pickName(name, keep = false) {
    const source = sourceNow();
    ui.chosen = { kind: "node", key: name };
    if (!c.isEditable()) c.say(`${name} is chosen.`);
    else if (source === null) {
      if (keep) c.say(`${name} is a node now.`);
      else arm(name);
    } else if (source === name && ui.armed === name) {
      disarm();
      c.say(`${name} is deselected. L draws an edge from a node to itself.`);
    } else {
      connect(source, name);
      ui.sign = "";
      ui.delay = false;
      if (!keep) disarm();
    }
    c.draw();
  }

  function pickPlace(place, keep) {
    if (!c.isEditable()) {
      ui.chosen = { kind: place.kind, key: place.key };
      return c.draw();
    }
    const isAsked = ui.sweep?.kind === "word" && foldName(ui.sweep.name) === foldName(place.name);
    const name = ensure(place);
    if (isAsked) return c.draw(); // the text asked about is a node now, and the question is about its edges
    return name === null ? undefined : pickName(name, keep);
  }

  function connectPlaces(from, to) {
    const [source, sink] = [ensure(from), ensure(to)];
    if (source === null || sink === null) return;
    connect(source, sink);
    disarm();
    c.draw();
  }

  // -- edges

  function chooseLine(key) {
    ui.chosen = { kind: "edge", key };
    ui.last = key;
    ui.proposal = null;
  }

  const signEdge = () => view().edges.get(ui.chosen?.kind === "edge" ? ui.chosen.key : ui.last) ?? null;

  function edit(field, value) {
    const edge = signEdge();
    if (edge === null) return void c.say("No edge is chosen.");
    if (edge[field] === value) return undefined;
    const { id, source, sink } = edge;
    if (c.act("edit_edge", { edge_id: id, source, sink, field, value }) === null) return undefined;
    const told = { sign: signWord(value), delay: value ? "delay" : "no delay", flag: value || "no flag" }[field];
    c.say(`${source} to ${sink}: ${told}.`);
    return void c.draw();
  }

  function setSign(sign) {
    if (sourceNow() === null || (ui.armed === null && ui.chosen?.kind === "edge")) return edit("sign", sign);
    ui.sign = ui.sign === sign ? "" : sign;
    return c.draw();
  }

  function toggleDelay() {
    if (sourceNow() !== null && !(ui.armed === null && ui.chosen?.kind === "edge")) {
      ui.delay = !ui.delay;
      return c.draw();
    }
    return edit("delay", !signEdge()?.delay);
  }

  function removeEdge(edge) {
    const { id, source, sink } = edge;
    if (c.act("delete_edge", { edge_id: id, source, sink }) === null) return;
    ui.chosen = null;
    ui.last = null;
    c.say(`Removed: ${source} to ${sink}. Ctrl Z brings it back.`);
    c.draw();
  }

  function timeTravel(kind) {
    if (!c.can(kind)) return c.say(`Nothing to ${kind}.`);
    disarm();
    if (c.act(kind, {}) !== null) c.say(kind === "undo" ? "Undone." : "Redone.");
    return c.draw();
  }

  const keyDeeds = {
    pick(event) {
      if (ui.move !== null) return deeds.putHere();
      const at = c.focused();
      if (at !== null) return at.kind === "proposal" ? checking.accept() : deeds.press(at.kind, at.key, event.shiftKey);
      if (ui.proposal !== null) return checking.accept();
      if (ui.sweep?.kind === "word") return deeds.press("word", ui.sweep.key, true);
      return c.say("Arrow keys go to a node, Enter chooses it.");
    },
    step(event) {
      if (ui.move !== null) return c.nudge(event.key, 6);
      const from = c.whereNow();
      const key = neighbourOf(c.scene.places, from.at, event.key, from.key);
      const place = c.scene.places.find((each) => each.key === key);
      if (!place) return c.say("No node in that direction.");
      ui.chosen = { kind: place.kind, key };
      ui.proposal = null;
      c.draw();
      return c.focusOn(place.kind, key);
    },
    pan(event) {
      if (ui.move !== null) return c.nudge(event.key, 40);
      const [dx, dy] = ARROWS[event.key];
      return c.panZoom.panBy(-dx * PANZOOM_PAN_PX, -dy * PANZOOM_PAN_PX, true);
    },
    find: () => c.isEditable() && openNames({ label: "Find or make a node" }),
    takeBack() {
      if (ui.typed !== "") ui.typed = ui.typed.slice(0, -1);
      else if (ui.armed !== null) disarm();
      c.draw();
    },
    cancel: () => deeds.cancel(),
    loop() {
      const place = c.here();
      if (place === null) return c.say("Choose a node first.");
      return connectPlaces(place, place);
    },
    move() {
      const place = c.here();
      if (place === null || node(place.name) === null || !c.isEditable()) return c.say("Choose a node first.");
      const box = c.scene.boxes.get(place.name);
      const [x, y] = box ? centreOf(box) : centreOf(c.panZoom.seen());
      ui.move = { name: place.name, x, y };
      c.home().focus({ preventScroll: true });
      return c.draw();
    },
    rename() {
      const place = c.here();
      if (place !== null && node(place.name) !== null && c.isEditable()) rename(place.name);
    },
    remove: () => deeds.remove(),
    undo: () => timeTravel("undo"),
    redo: () => timeTravel("redo"),
    sign: (event) => setSign({ "+": "+", "=": "+", "-": "-", "−": "-", 0: "" }[event.key]),
    delay: () => toggleDelay(),
    flag() {
      const flags = ["", ...c.data.flags];
      edit("flag", flags[(flags.indexOf(signEdge()?.flag ?? "") + 1) % flags.length]);
    },
    nextEdge() {
      const name = ui.chosen?.kind === "edge" ? ui.edgesOf : (c.here()?.name ?? null);
      const edges = [...view().edges.values()].filter(
        (edge) => name === null || edge.source === name || edge.sink === name,
      );
      if (edges.length === 0) return c.say("No edge here.");
      ui.edgesOf = name;
      const next = edges[(edges.findIndex((edge) => edge.key === ui.chosen?.key) + 1) % edges.length];
      chooseLine(next.key);
      c.draw();
      c.focusOn("edge", next.key);
      return c.say(spokenLine("edge", next));
    },
    hints: () => c.setHints(!ui.hints),
    focus() {
      const name = c.here()?.name ?? null;
      ui.focus = ui.focus !== null && (name === null || ui.focus === name) ? null : name;
      c.say(ui.focus === null ? "All edges are shown." : `Only ${ui.focus} and its edges.`);
      c.draw();
    },
    zoom(event) {
      const letter = event.key.toUpperCase();
      if (letter === "F") c.panZoom.fit(true);
      else c.panZoom.zoomBy(letter === "I" ? PANZOOM_STEP : 1 / PANZOOM_STEP, undefined, undefined, true);
    },
    help: () => c.sheet.open(),
    toLine: () => dispatchEvent(new Event("edgewise:to-line")), // the desk beside the canvas hears it
  };

  const deeds = {
    ...naming,
    ...keyDeeds,
    ...checking,
    ...mending,
    rename: () => keyDeeds.rename(),
    renameTo: rename,
    pickName,
    pickPlace,
    connectPlaces,
    disarm,
    setSign,
    toggleDelay,
    setFlag: (flag) => edit("flag", flag),
    home: () => c.home(),
    press(kind, key, shift) {
      if (kind === "edge") {
        chooseLine(key);
        ui.edgesOf = null;
        return c.draw();
      }
      if (kind === "proposal") return checking.showProposal(key);
      const place = c.placeOf(kind, key);
      return place && pickPlace(place, shift);
    },
    /** A press on bare figure: a name box where nothing is printed as text, otherwise everything is put away. */
    bare(point) {
      const typed = c.nameBox.isOpen() ? c.nameBox.typed() : "";
      if (c.isEditable() && (c.data.words.length === 0 || typed !== "")) return openNames({ point, value: typed });
      c.nameBox.close();
      disarm();
      Object.assign(ui, { chosen: null, proposal: null, focus: null });
      return c.draw();
    },
    nameAt: (point, from) => c.isEditable() && openNames({ point, from }),
    cancel() {
      const had = ui.move ?? (ui.typed || ui.armed || ui.proposal || ui.chosen || ui.focus || ui.sweep);
      c.pointer.release();
      if (ui.move !== null) ui.move = null;
      else if (ui.typed !== "" || ui.armed !== null || ui.sign !== "" || ui.delay) disarm();
      else if (ui.proposal !== null) Object.assign(ui, { proposal: null, chosen: null });
      else if (ui.chosen !== null) ui.chosen = null;
      else if (ui.focus !== null) ui.focus = null;
      else if (ui.sweep !== null) return void c.sweep.end();
      if (!had) c.home().focus({ preventScroll: true });
      c.draw();
    },
    remove() {
      const edge = ui.chosen?.kind === "edge" ? view().edges.get(ui.chosen.key) : null;
      const name = c.here()?.name ?? null;
      if (edge) return removeEdge(edge);
      if (name !== null && node(name) !== null) return removeNode(name);
      return c.say("Choose an edge or a node to remove.");
    },
    putHere() {
      const { name, x, y } = ui.move;
      ui.move = null;
      moveTo(name, c.inside(x, y));
    },
    menuHere() {
      const place = c.here();
      const box = c.viewport.getBoundingClientRect();
      const at =
        place && c.scene.boxes.has(place.name)
          ? c.panZoom.toScreen(...centreOf(c.scene.boxes.get(place.name)))
          : { x: box.left + 20, y: box.top + 20 };
      if (place !== null) deeds.menuOf(place, at.x, at.y);
    },
    menuOf(place, clientX, clientY) {
      const name = existing(place.name, place.kind === "word");
      const box = c.viewport.getBoundingClientRect();
      const goTo = (act) => () => {
        ui.chosen = { kind: "node", key: name };
        c.focusOn("node", name);
        act();
      };
      const taken = [
        ["Rename", () => rename(name)],
        ["Move", goTo(keyDeeds.move)],
        ["Draw self-loop", goTo(keyDeeds.loop)],
        [ui.focus === name ? "Show all edges" : "Show its edges", goTo(keyDeeds.focus)],
        ["Remove", () => removeNode(name)],
      ];
      const fresh = [
        ["Make node", () => pickPlace(place, true)],
        ["Draw from here", () => pickPlace(place, false)],
        place.isDismissed
          ? ["Mark as variable", () => checking.dismiss(place.name, false)]
          : ["Mark not variable", () => checking.dismiss(place.name, true)],
      ];
      const items = name === null ? fresh : taken;
      c.menu.open(
        clientX - box.left,
        clientY - box.top,
        place.name,
        c.isEditable() ? items : [items[3] ?? ["Close", () => {}]],
      );
    },
  };
  return deeds;
}
