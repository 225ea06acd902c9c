// Conversion between the drawing and places of a text: a marked stretch, and the range of a place.

import { currentText, currentPlace, stretchOf } from "./pieces.js";

/** The stretch that is marked in `body`, by places of the current text as Python counts them; null if none is.
 * @param {any} host  the shadow root it is in
 * @param {HTMLElement} body
 * @param {{text: string, changes: any[], isRejected: (change: any) => boolean}} current */
export function markedIn(host, body, current) {
  const selection = host.getSelection?.() ?? getSelection();
  if (selection === null || selection.isCollapsed || !body.contains(selection.anchorNode)) return null;
  const range = selection.getRangeAt(0);
  if (!body.contains(range.endContainer)) return null;
  const start = placeAt(range.startContainer, range.startOffset, current);
  const end = placeAt(range.endContainer, range.endOffset, current);
  if (start === null || end === null) return null;
  return stretchOf(currentText(current.text, current.changes, current.isRejected), start, end);
}

/** Place in the current text of a point of the drawn one. */
function placeAt(node, offset, { changes, isRejected }) {
  const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
  const run = element.closest("[data-role]");
  if (run === null) return null;
  const before = document.createRange();
  before.setStart(run, 0);
  before.setEnd(node, offset);
  const place = Number(run.dataset.from) + before.toString().length;
  const number = run.dataset.role === "put" ? Number(run.dataset.number) : null;
  return currentPlace(place, number, changes, isRejected);
}

/** The range of a stretch of the stage's original text, within the run it begins in; null if it is not drawn.
 * @param {HTMLElement} body */
export function rangeOf(body, place, length) {
  const runs = /** @type {HTMLElement[]} */ ([...body.querySelectorAll("[data-role]:not([data-role=put])")]);
  const run = runs.find(({ dataset, textContent }) => {
    const from = Number(dataset.from);
    return from <= place && place < from + (textContent ?? "").length;
  });
  if (run === undefined) return null;
  const walker = document.createTreeWalker(run, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const first = place - Number(run.dataset.from);
  let done = 0;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const size = (node.textContent ?? "").length;
    if (done <= first && first < done + size) range.setStart(node, first - done);
    if (first < done + size) range.setEnd(node, Math.min(size, first + length - done));
    done += size;
    if (first + length <= done) break;
  }
  return first < done ? range : null;
}
