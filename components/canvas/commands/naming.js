// Names: use a printed one, write a new one, rename, move and remove. Part of the commands of the canvas.

import { count } from "../../desk/dom.js";
import { foldName } from "../../desk/names.js";
import { centreOf } from "../geometry.js";

/** The commands about names; picking is `c.commands.pickName`. @param {import("../types.d.ts").Canvas} c */
export function createNaming(c) {
  const { ui } = c;
  const view = () => c.graph.view();
  const node = (name) => view().nodes.get(name) ?? null;

  /** The node of a name; of a printed one not a node made from another print with another spelling. */
  function existing(name, isPrinted = false) {
    if (node(name) !== null) return name;
    const folded = foldName(name);
    for (const [other, { box }] of view().nodes) if (foldName(other) === folded && !(isPrinted && box)) return other;
    return null;
  }

  /** @param {import("../types.d.ts").Place} place A printed one. */
  function placeWord({ name, word }) {
    const [x, y] = centreOf(word.box);
    const box = c.clipped(word.box);
    c.act("place_node", { name, ...c.inside(x, y), box, origin: "printed" });
  }

  /** Name of the node of a pressed or typed place, created from a printed name if necessary. Null if not possible. */
  function ensure(place) {
    const known = existing(place.name, place.kind === "word");
    if (known !== null) return known;
    if (place.word) placeWord(place);
    return node(place.name) === null ? null : place.name;
  }

  /** The printed name that a text means. */
  function wordFor(text) {
    const words = c.scene.places.filter(({ kind }) => kind === "word");
    return words.find(({ name }) => name === text) ?? words.find(({ name }) => foldName(name) === foldName(text));
  }

  /** The node of a name from the name box, existing or created at `point` (null: at a free spot); null if not possible. */
  function nodeNamed(name, point) {
    const word = wordFor(name);
    const known = existing(name, word?.name === name);
    if (known !== null) {
      if (point !== null && !c.scene.boxes.has(known)) c.act("move_node", { node: known, ...point });
      return known;
    }
    if (word && point === null) placeWord(word);
    else c.act("place_node", { name, ...(point ?? c.freeSpot()), box: null, origin: "drawn" });
    return [name, word?.name].find((made) => node(made) !== null) ?? null;
  }

  function takeName(name, point, from) {
    if (from !== null) ui.armed = ensure(from);
    const created = nodeNamed(name, point);
    if (created === null) return;
    c.commands.pickName(created);
    c.focusOn("node", created);
  }

  /** @param {{point?: import("../types.d.ts").At | null, from?: any, value?: string, label?: string}} asked */
  function openNames({ point = null, from = null, value = "", label = "Node name" }) {
    const box = point === null ? null : [point.x, point.y, point.x, point.y];
    c.nameBox.open({
      box,
      value,
      label,
      names: c.allNames(),
      at: point,
      mode: "place",
      onTake: (name) => takeName(name, point, from),
      onLeave: () => c.home().focus({ preventScroll: true }),
    });
  }

  function renameTo(name, value = name) {
    const at = c.scene.boxes.get(name) ?? null;
    c.nameBox.open({
      box: at,
      value,
      label: `New name of ${name}`,
      names: c.allNames().filter((other) => other !== name),
      at: null,
      mode: "rename",
      onTake: (text) => {
        if (text !== name && node(name) !== null && c.act("rename_node", { node: name, name: text }) !== null) {
          c.hints.carry(name, text);
          for (const part of ["armed", "focus"]) if (ui[part] === name) ui[part] = text;
          if (ui.sweep?.name === name) ui.sweep = { kind: "node", key: text, name: text };
          if (ui.chosen?.key === name) ui.chosen = { kind: "node", key: text };
          c.say(`Renamed to ${text}.`);
        }
        c.draw();
        c.focusOn("node", text);
      },
      onLeave: () => c.focusOn("node", name),
    });
  }

  function moveTo(name, point) {
    if (c.act("move_node", { node: name, ...point }) !== null) c.say(`${name} is placed.`);
    c.commands.choose("node", name);
    c.draw();
    c.focusOn("node", name);
  }

  function removeNode(name) {
    const degree = [...view().edges.values()].filter((edge) => edge.source === name || edge.sink === name).length;
    if (c.act("delete_node", { node: name }) === null) return;
    if (ui.armed === name) c.commands.disarm();
    if (ui.focus === name) ui.focus = null;
    ui.chosen = null;
    c.say(`Removed: ${name}${degree ? ` and ${count(degree, "edge")}` : ""}. Ctrl Z brings it back.`);
    c.draw();
  }

  return { existing, ensure, wordFor, openNames, renameTo, moveTo, removeNode };
}
