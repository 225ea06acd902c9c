// The text on the left: fetched by its address once, drawn in chunks, with changes and findings in place.

import { make, pushButton, setText } from "../desk/dom.js";
import { createBody } from "./body.js";
import { createLibrary } from "./library.js";
import { markedIn, rangeOf } from "./marking.js";
import { painted } from "./paint.js";
import { placed, runsOf, currentText, stretchOf } from "./pieces.js";
import { placesOf } from "./places.js";

/** @typedef {import("../desk/types.d.ts").Frame} Frame */

/** The drawn stage: the text before its changes, these by its places, and which of them are rejected.
 * @typedef {{text: string, changes: any[], isRejected: (change: any) => boolean}} Drawn */

/** @type {Drawn} */
const NOTHING = { text: "", changes: [], isRejected: () => false };
const SETTLING = 4; // frames
const SEARCHED = "text-search";

/** Scroll `element` alone until `wanted` is clearly visible.
 * @param {HTMLElement} element
 * @param {Element | Range} wanted */
function scrollInto(element, wanted) {
  const place = (tries) => {
    const [inner, outer] = [wanted.getBoundingClientRect(), element.getBoundingClientRect()];
    const isSeen = inner.top > outer.top + 24 && inner.top < outer.bottom - 80;
    if (!isSeen) element.scrollTop += inner.top - outer.top - outer.height / 3;
    if (tries > 0) requestAnimationFrame(() => place(tries - 1)); // chunks on the way had no layout yet
  };
  place(SETTLING);
}

/** `drawnPlain`: the nodes of unchanged words; by default the source with its headings set off.
 * @param {Frame} c
 * @param {(text: string) => (Node | string)[]} [drawnPlain] */
export function createText(c, drawnPlain) {
  const paper = createBody();
  const body = paper.element;
  const wait = make("p", { class: "cv-small", text: "Loading text…" });
  const message = make("p");
  const trouble = make(
    "div",
    { class: "cv-row tx-trouble", hidden: true },
    message,
    pushButton("Load again", () => ask()),
  );
  const element = make(
    "section",
    { class: "tx-text", tabindex: "0", "aria-label": "Text with changes" },
    wait,
    trouble,
    body,
  );
  const library = createLibrary(() => c.root.isConnected && arrived());
  let drawn = "";
  let current = NOTHING;
  let words = new Map();

  function ask() {
    library.ask(c.stage().url);
    c.draw();
  }

  function arrived() {
    c.draw();
    reveal();
  }

  /** Signature of the body, so that it is rebuilt only after changes. */
  function signature({ id, url, changes }) {
    const ruled = changes.map((each) => (c.view.isRejected(id, each.number) ? "r" : "s")).join("");
    const stretches = c.findings().map(({ start, end }) => `${start}-${end}`);
    return [url, ruled, stretches].join("|");
  }

  function rebuild({ id, changes }, text) {
    const isRejected = (change) => c.view.isRejected(id, change.number);
    const isAgain = text === current.text;
    current = { text, changes: placed(text, changes), isRejected };
    words = new Map(current.changes.map(({ number, was }) => [number, was]));
    const kinds = new Map(changes.map(({ number, kind }) => [number, kind]));
    const leaks = c.findings().map(({ is_structural: isStructural }) => isStructural);
    paper.draw(painted(runsOf(text, current.changes, isRejected, findings()), kinds, leaks, drawnPlain), isAgain);
    body.dataset.characters = String(text.length);
  }

  /** The findings of the shown text by places of the browser. They are of the stored text: until unsent acts
   * are answered, none are shown. */
  function findings() {
    const isAsStored = current.changes.every((change) => current.isRejected(change) === change.is_rejected);
    if (!isAsStored || c.findings().length === 0) return [];
    const places = placesOf(currentText(current.text, current.changes, current.isRejected));
    return c.findings().map(({ start, end }) => [places.at(start), places.at(end)]);
  }

  function reveal() {
    const chosen = paper.chosen();
    if (chosen !== null) scrollInto(element, chosen);
  }

  return {
    element,
    reveal,
    /** The words that a change of the shown stage replaces; "" until its text is there. */
    wasOf: (number) => words.get(number) ?? "",
    text: () => current.text,
    marked() {
      paper.fill();
      return markedIn(c.host, body, current);
    },
    /** A stretch of the current text by Python's places. */
    standingBetween(start, end) {
      const whole = currentText(current.text, current.changes, current.isRejected);
      const places = placesOf(whole);
      return stretchOf(whole, places.at(start), places.at(end));
    },
    draw() {
      const stage = c.stage();
      const [text, fault] = [library.have(stage.url), library.fault(stage.url)];
      if (text === null && fault === "") library.ask(stage.url);
      wait.hidden = text !== null || fault !== "";
      trouble.hidden = fault === "";
      setText(message, fault);
      body.hidden = text === null;
      element.dataset.shown = text === null ? "" : stage.url;
      if (text === null) return;
      const next = signature(stage);
      if (next !== drawn) {
        drawn = next;
        rebuild(stage, text);
      }
      element.dataset.only = String(c.ui.only);
      paper.choose(c.ui.change, c.ui.finding);
    },
    /** Reveal a place of the original text, such as a match of a search. */
    revealPlace(place, length) {
      paper.fill();
      const range = rangeOf(body, place, length);
      if (range === null) return;
      globalThis.CSS?.highlights?.set(SEARCHED, new Highlight(range));
      scrollInto(element, range);
    },
    forgetPlace: () => void globalThis.CSS?.highlights?.delete(SEARCHED),
    /** Handle a press on a finding or a change. */
    pressed(event) {
      const { findings: found, number } = event.target.closest?.("[data-role]")?.dataset ?? {};
      if (found !== undefined) return { finding: Number(found.split(" ")[0]) };
      return number === undefined ? null : { change: Number(number) };
    },
  };
}
