// Small parts of the canvas: stored hint codes, chips over the figure, the tray.

import { changes, make, pushButton, setText } from "../desk/dom.js";
import { shelfOf } from "../desk/shelf.js";
import { withHints } from "./hints.js";
import { createLayer } from "./paint.js";

/** Codes of one subject, stored in this browser. Codes go to nodes by degree, then to printed names in order. */
export function createHints(subject) {
  const shelf = shelfOf(`edgewise.hints.${encodeURIComponent(subject)}`);
  const read = shelf.read();
  /** @type {import("./hints.js").Hints | null} */
  let stored = null;
  if (read !== null) stored = { singles: read.singles, codes: new Map(read.codes) };
  return {
    codesFor(scene, view) {
      const degree = new Map();
      for (const { source, sink } of [...view.edges.values(), ...view.proposals.values()]) {
        degree.set(source, (degree.get(source) ?? 0) + 1);
        degree.set(sink, (degree.get(sink) ?? 0) + 1);
      }
      const names = [...new Set([...view.nodes.keys(), ...scene.places.map(({ name }) => name)])];
      const byDegree = (a, b) => (degree.get(b) ?? 0) - (degree.get(a) ?? 0);
      const next = withHints(stored, names.sort(byDegree));
      if (next !== stored) {
        stored = next;
        shelf.write({ singles: next.singles, codes: [...next.codes] });
      }
      return next.codes;
    },
    /** A renamed node keeps its code. */
    carry(from, to) {
      if (stored === null || !stored.codes.has(from) || stored.codes.has(to)) return;
      const { singles, codes: before } = stored;
      const codes = new Map([...before].map(([name, code]) => [name === from ? to : name, code]));
      stored = { singles, codes };
      shelf.write({ singles, codes: [...codes] });
    },
  };
}

/** A label over the figure; `typed` letters of a code are typed already. A `place` is decided already.
 * @typedef {{left: string, top: string, translate: string}} ChipPlace
 * @typedef {{key: string, kind: string, text: string, box: import("./types.d.ts").Box, look?: string, typed?: number, place?: ChipPlace}} Chip */

/** Place of a label of `box`, in percent so that it follows the zoom: a code next to the box, a name above it, inside
 * the figure.
 * @param {import("./types.d.ts").Box} box
 * @returns {ChipPlace} */
export function placeOfChip(box, figure, kind) {
  const [x0, y0, x1, y1] = box;
  const [left, top] = figure.origin;
  const share = (value, origin, length) => `${(((value - origin) / length) * 100).toFixed(3)}%`;
  if (kind === "hint") {
    const isRight = (x0 - left) / figure.width < 0.035;
    return {
      left: share(isRight ? x1 : x0, left, figure.width),
      top: share((y0 + y1) / 2, top, figure.height),
      translate: isRight ? "3px -50%" : "calc(-100% - 3px) -50%",
    };
  }
  const isHigh = (y0 - top) / figure.height > 0.12;
  const middle = (x0 + x1) / 2;
  const across = (middle - left) / figure.width;
  return {
    left: share(middle, left, figure.width),
    top: share(isHigh ? y0 : y1, top, figure.height),
    translate: `${across < 0.15 ? "-12%" : across > 0.85 ? "-88%" : "-50%"} ${isHigh ? "calc(-100% - 5px)" : "5px"}`,
  };
}

/** Chips over the figure: hint codes and names. draw(chips, figure) */
export function createChips(layer) {
  let figure = { origin: [0, 0], width: 1, height: 1 };
  const chips = createLayer(layer, {
    make: () => ({ group: make("span", {}), drawn: "", look: "" }),
    identityOf: ({ text, box, typed = 0, place }) =>
      JSON.stringify([text, box, typed, place, figure.origin, figure.width, figure.height]),
    lookOf: ({ kind, look = "" }) => `cv-chip cv-chip-${kind} ${look}`,
    fill({ group }, { kind, text, box, typed = 0, place }) {
      group.replaceChildren(...(typed > 0 ? [make("b", { text: text.slice(0, typed) }), text.slice(typed)] : [text]));
      Object.assign(group.style, place ?? placeOfChip(box, figure, kind));
    },
  });
  return {
    draw(items, now) {
      figure = now;
      chips.update(items);
    },
  };
}

const MOST_CHIPS = 200; // laying out a thousand takes longer than storing their edges

/** The tray of nodes without a place: chips to pick, to drag onto the figure, or to place by key. */
export function createTray(viewport, { onPick, onDrag, onKey }) {
  const list = make("div", { class: "cv-tray-list", role: "group", "aria-label": "Nodes without a place" });
  const label = make("span", { class: "cv-tray-label", text: "Not placed yet" });
  const more = make("span", { class: "cv-tray-label", hidden: true });
  const tray = make("div", { class: "cv-tray", hidden: true }, label, list, more);
  viewport.before(tray);
  const isOther = changes();
  let chips = new Map();

  function chipOf({ name, swept }, { code, isArmed, isChosen, isEditable }) {
    const chip = pushButton("", (event) => onPick(name, event), {
      class: "cv-tray-chip",
      "data-name": name,
      title: `${name}: drag it to its place, or press M`,
      "aria-pressed": String(isArmed),
      "data-chosen": isChosen,
    });
    if (code !== undefined) chip.append(make("span", { class: "cv-chip cv-chip-hint", text: code }));
    chip.append(make("span", { text: `${swept ? "✓ " : ""}${name}` }));
    chip.addEventListener("pointerdown", (event) => isEditable && onDrag(name, event));
    chip.addEventListener("keydown", (event) => onKey(name, event));
    return chip;
  }

  return {
    element: tray,
    /** Draw the chips; unchanged ones are not moved: each typed edge adds some, and there may be hundreds. */
    draw(all, { armed, chosen, codes, isEditable }) {
      const unplaced = all.slice(0, MOST_CHIPS);
      more.hidden = all.length <= MOST_CHIPS;
      setText(more, more.hidden ? "" : `and ${(all.length - MOST_CHIPS).toLocaleString("en")} more`);
      const shown = unplaced.map(({ name, swept }) => [name, swept, codes?.get(name)]);
      if (!isOther(shown, armed, chosen, isEditable)) return;
      /** @type {HTMLElement | null} */
      const button = list.querySelector("button:focus");
      const focused = button?.dataset.name;
      tray.hidden = unplaced.length === 0;
      const before = chips;
      chips = new Map();
      for (const node of unplaced) {
        const { name, swept } = node;
        const look = { code: codes?.get(name), isArmed: armed === name, isChosen: chosen === name, isEditable };
        const key = JSON.stringify([name, swept, look]);
        chips.set(key, before.get(key) ?? chipOf(node, look));
      }
      for (const [key, chip] of before) if (!chips.has(key)) chip.remove();
      [...chips.values()].forEach((chip, place) => {
        if (list.children[place] !== chip) list.insertBefore(chip, list.children[place] ?? null);
      });
      if (focused !== undefined)
        /** @type {HTMLElement | null} */ (list.querySelector(`[data-name="${CSS.escape(focused)}"]`))?.focus({
          preventScroll: true,
        });
    },
  };
}
