// Places on a canvas: inside the figure, under the focus, and the target of a key.

import { cleanName } from "../desk/names.js";
import { ARROWS, centreOf, clampTo, freeSpot } from "./geometry.js";

/** @typedef {import("./types.d.ts").Box} Box */

/** @param {import("./types.d.ts").Canvas} c */
export function createWhere(c) {
  const placeOf = (kind, key) => c.scene.places.find((place) => place.kind === kind && place.key === key) ?? null;
  const lineOf = (kind, key) => c.scene.lines.find((line) => line.kind === kind && line.key === key);
  const asPlace = (name) =>
    placeOf("node", name) ??
    (c.graph.view().nodes.has(name) ? { kind: "node", key: name, name, isUnplaced: true, box: null } : null);

  const isName = (at) => at?.kind === "node" || at?.kind === "word";

  /** The point (x, y), or the nearest one in the figure, to hundredths. */
  function inside(x, y) {
    const { origin, width, height } = c.data.figure;
    const round = (value) => Math.round(value * 100) / 100;
    return {
      x: round(clampTo(x, origin[0], origin[0] + width)),
      y: round(clampTo(y, origin[1], origin[1] + height)),
    };
  }

  /** @returns {import("./types.d.ts").Choice | null} */
  function focused() {
    /** @type {SVGElement | null | undefined} */
    const group = c.host.activeElement?.closest?.("g[data-key]");
    if (!group) return null;
    return /** @type {import("./types.d.ts").Choice} */ ({ kind: group.dataset.kind, key: group.dataset.key });
  }

  /** Target of a key: the focused name, else the chosen or picked one. */
  function placeHere() {
    const inTray = /** @type {HTMLElement | null} */ (c.host.activeElement)?.dataset?.name;
    if (inTray !== undefined) return asPlace(inTray);
    const { chosen, armed } = c.ui;
    const [focus, choice] = [focused(), chosen].map((at) => (isName(at) ? at : null));
    if (focus !== null) return placeOf(focus.kind, focus.key);
    if (choice?.kind === "word") return placeOf("word", choice.key);
    const name = choice?.key ?? armed;
    return name === null ? null : asPlace(name);
  }

  return {
    placeOf,
    inside,
    focused,
    here: placeHere,
    clipped([x0, y0, x1, y1]) {
      const [from, to] = [inside(x0, y0), inside(x1, y1)];
      return [from.x, from.y, to.x, to.y];
    },
    freeSpot() {
      const boxes = c.scene.places.map(({ box }) => box);
      return inside(...freeSpot(c.panZoom.seen(), boxes, c.scene.unit * 4));
    },
    allNames() {
      const printed = c.data.words.map(({ text }) => cleanName(text));
      return [...new Set([...c.graph.view().nodes.keys(), ...printed, ...c.data.names])].filter(Boolean);
    },
    whereNow() {
      const at = focused();
      const line = at && lineOf(at.kind, at.key);
      if (line) return { at: [line.curve.middle.x, line.curve.middle.y], key: null };
      const place = placeHere();
      if (place?.box) return { at: centreOf(place.box), key: place.key };
      const [x0, y0] = c.panZoom.seen();
      return { at: [x0 - 1, y0 - 1], key: null }; // the first key press goes to the name nearest the upper left corner
    },
    focusOn(kind, key) {
      const group = c.groupOf(kind, key);
      const inTray = () => c.around.tray.querySelector(`[data-name="${CSS.escape(key)}"]`);
      (group ?? inTray() ?? c.viewport).focus({ preventScroll: true });
      const box = group && (placeOf(kind, key)?.box ?? lineOf(kind, key)?.bounds);
      if (box) c.panZoom.reveal(box);
    },
    /** Move the name that is being placed by keys. */
    nudge(key, px) {
      const { move } = c.ui;
      if (move === null) return;
      const [dx, dy] = ARROWS[key];
      const step = px / c.panZoom.scale;
      Object.assign(move, inside(move.x + dx * step, move.y + dy * step));
      c.panZoom.reveal([move.x, move.y, move.x, move.y]);
      c.draw();
    },
    /** Put the name box below a box of the figure, or into the middle. */
    placeBox(element, at) {
      const room = c.viewport.getBoundingClientRect();
      const width = Math.min(280, room.width - 16);
      const on =
        at === null
          ? { x: room.left + room.width / 2, y: room.top + room.height * 0.3 }
          : c.panZoom.toScreen((at[0] + at[2]) / 2, at[3]);
      element.style.width = `${width}px`;
      element.style.left = `${clampTo(on.x - room.left - width / 2, 8, room.width - width - 8)}px`;
      element.style.top = `${clampTo(on.y - room.top + 8, 8, Math.max(8, room.height - 90))}px`;
    },
  };
}
