// Picking: a name becomes the source, or the sink of the source that waits, and an edge is drawn. Part of the commands.

import { markWords, NO_MARK } from "../../desk/edges.js";
import { foldName } from "../../desk/names.js";

/** The commands about picking and drawing. @param {import("../types.d.ts").Canvas} c */
export function createPicking(c) {
  const { ui } = c;
  const inOneDrawing =
    (act) =>
    (...given) =>
      c.drawings.together(() => act(...given));
  const sourceNow = () => ui.armed ?? c.sweepName();

  function arm(name) {
    ui.armed = name;
    ui.proposal = null;
    c.say(`${name} is the source. Choose the sink.`);
  }

  function disarm() {
    Object.assign(ui, { armed: null, mark: NO_MARK, typed: "" });
  }

  function connect(source, sink) {
    const { mark } = ui;
    const isSame = (edge) =>
      edge.source === source && edge.sink === sink && (mark.sign === "" || edge.sign === mark.sign);
    const same = [...c.graph.view().edges.values()].find(isSame);
    if (same) {
      c.commands.selectEdge(same.id);
      return void c.say(`${source} to ${sink} exists already and is now selected.`);
    }
    const arrowId = ui.sweep?.kind === "arrow" && c.graph.view().arrows.has(ui.sweep.key) ? ui.sweep.key : "";
    const act = c.act("connect", { source, sink, ...mark, lit: arrowId });
    if (act === null) return;
    c.commands.selectEdge(act.id);
    c.say(`Drawn: ${[`${source} to ${sink}`, ...markWords(mark)].join(", ")}.`);
  }

  /** Choose a node, printed text or proposal, and deselect edges, so that an act has one object. */
  function choose(kind, key) {
    ui.chosen = { kind, key };
    c.selection.select(null);
  }

  /** Make a picked name the source, or the sink of the waiting source. */
  function pickName(name, keep = false) {
    const source = sourceNow();
    choose("node", name);
    if (!c.isEditable()) c.say(`${name} is chosen.`);
    else if (source === null) {
      if (keep) c.say(`${name} is a node now.`);
      else arm(name);
    } else if (source === name && ui.armed === name) {
      disarm();
      c.say(`${name} is deselected. L draws an edge from a node to itself.`);
    } else {
      const { armed } = ui;
      connect(source, name);
      disarm();
      if (keep) ui.armed = armed;
    }
    c.draw();
  }

  function pickPlace(place, keep) {
    if (!c.isEditable()) {
      choose(place.kind, place.key);
      return c.draw();
    }
    const isAsked = ui.sweep?.kind === "word" && foldName(ui.sweep.name) === foldName(place.name);
    const name = c.commands.ensure(place);
    if (isAsked) return c.draw(); // the text in question is a node now, and the question is about its edges
    return name === null ? undefined : pickName(name, keep);
  }

  function pressPlace(place, shift) {
    if (place === null) return;
    const isLone = shift && sourceNow() === null; // a node without an edge: one of several texts to join, perhaps
    pickPlace(place, shift);
    const name = isLone ? c.commands.existing(place.name, place.kind === "word") : null;
    ui.run = name === null ? [] : [...ui.run.filter((each) => each !== name), name];
    c.draw();
  }

  return {
    sourceNow,
    disarm,
    choose,
    pickName: inOneDrawing(pickName),
    pickPlace: inOneDrawing(pickPlace),
    connectPlaces: inOneDrawing((from, to) => {
      const [source, sink] = [c.commands.ensure(from), c.commands.ensure(to)];
      if (source === null || sink === null) return;
      connect(source, sink);
      disarm();
      c.draw();
    }),
    press(kind, key, shift) {
      if (kind === "edge") {
        c.commands.selectEdge(key);
        c.draw();
      } else if (kind === "proposal") c.commands.showProposal(key);
      else c.drawings.together(() => pressPlace(c.placeOf(kind, key), shift));
    },
    /** Handle a press on empty figure: a name box if no texts are printed, otherwise cancel everything. */
    bare(point) {
      const typed = c.nameBox.isOpen() ? c.nameBox.typed() : "";
      if (c.isEditable() && (c.data.words.length === 0 || typed !== ""))
        return c.commands.openNames({ point, value: typed });
      c.nameBox.close();
      disarm();
      c.commands.endRegion();
      ui.run = [];
      c.selection.select(null);
      Object.assign(ui, { chosen: null, proposal: null, focus: null });
      return c.draw();
    },
    nameAt: (point, from) => c.isEditable() && c.commands.openNames({ point, from }),
  };
}
