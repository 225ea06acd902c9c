// A text with its changes in place, cut for drawing: runs, paragraphs, chunks. Pure.

import { countedTo, placesOf } from "./places.js";

/** @typedef {import("./types.d.ts").ChangeData} ChangeData */
/** @typedef {import("./types.d.ts").IsRejected} IsRejected */
/** @typedef {import("./types.d.ts").PlacedChange} PlacedChange */
/** @typedef {import("./types.d.ts").Run} Run */
/** @typedef {import("./types.d.ts").Stretch} Stretch */
/** @typedef {import("./types.d.ts").Paragraph} Paragraph */

const JOINED = " ";
const APART = "\n\n";
const CHUNK = 2400; // characters

/** The changes of a stage by places of the browser, with the words they replace.
 * @param {string} text  before the changes
 * @param {ChangeData[]} changes  in their order */
export function placed(text, changes) {
  const places = placesOf(text);
  return changes.map((change) => {
    const [start, end] = [places.at(change.start), places.at(change.end)];
    return { ...change, start, end, was: text.slice(start, end) };
  });
}

/** The current words of each change. If the words between two halves of a sentence are partly kept,
 * the halves stay apart (core/texts/redline.py: _written).
 * @param {PlacedChange[]} changes
 * @param {IsRejected} isRejected */
export function written(changes, isRejected) {
  let heldAt = -1;
  return changes.map((change) => {
    if (isRejected(change)) {
      heldAt = change.end;
      return change.was;
    }
    const isHeld = change.start === heldAt;
    heldAt = isHeld ? change.end : -1;
    return isHeld && change.put === JOINED && change.was.endsWith(APART) ? APART : change.put;
  });
}

/** The text with the changes that are not rejected.
 * @param {string} text
 * @param {PlacedChange[]} changes
 * @param {IsRejected} isRejected */
export function currentText(text, changes, isRejected) {
  const words = written(changes, isRejected);
  let done = 0;
  const parts = changes.flatMap((change, n) => {
    const before = text.slice(done, change.start);
    done = change.end;
    return [before, words[n]];
  });
  return parts.join("") + text.slice(done);
}

/** Place in the current text of a place of the original, or of one within the words of a change.
 * @param {number} place
 * @param {number | null} number  the change whose words it is in
 * @param {PlacedChange[]} changes
 * @param {IsRejected} isRejected */
export function currentPlace(place, number, changes, isRejected) {
  const words = written(changes, isRejected);
  let by = 0;
  for (const [n, change] of changes.entries()) {
    if (change.number === number) return change.start + by + Math.min(place, words[n].length);
    if (number === null && place <= change.start) break;
    if (number === null && place < change.end) {
      return change.start + by + (isRejected(change) ? place - change.start : words[n].length);
    }
    by += words[n].length - change.was.length;
  }
  return place + by;
}

/** A stretch of the current text by Python's places, or null if it is empty.
 * @param {string} whole
 * @param {number} start
 * @param {number} end */
export function stretchOf(whole, start, end) {
  const [from, to] = start <= end ? [start, end] : [end, start];
  const was = whole.slice(from, to);
  if (was.trim() === "") return null;
  const first = from + (was.length - was.trimStart().length);
  const last = to - (was.length - was.trimEnd().length);
  return { start: countedTo(whole, first), end: countedTo(whole, last), was: whole.slice(first, last) };
}

/** The runs of a text in order.
 * @param {string} text
 * @param {PlacedChange[]} changes
 * @param {IsRejected} isRejected
 * @param {Stretch[]} [findings]  of the current text by the browser's places
 * @returns {Run[]} */
export function runsOf(text, changes, isRejected, findings = []) {
  const words = written(changes, isRejected);
  /** @type {Run[]} */
  const runs = [];
  let done = 0;
  let current = 0; // in the current text
  /** @type {(role: Run["role"], piece: string, from: number, number: number | null) => void} */
  const cut = (role, piece, from, number) => {
    if (piece === "") return;
    if (role === "was") return void runs.push({ role, text: piece, from, number, findings: [] });
    for (const [start, end, inside] of cutAt(current, current + piece.length, findings)) {
      const inner = piece.slice(start - current, end - current);
      runs.push({ role, text: inner, from: from + start - current, number, findings: inside });
    }
    current += piece.length;
  };
  for (const [n, change] of changes.entries()) {
    cut("plain", text.slice(done, change.start), done, null);
    if (isRejected(change)) cut("left", change.was, change.start, change.number);
    else {
      cut("was", change.was, change.start, change.number);
      cut("put", words[n], 0, change.number);
    }
    done = change.end;
  }
  cut("plain", text.slice(done), done, null);
  return runs;
}

/** A stretch cut at the ends of findings, each part with the findings it lies in.
 * @type {(start: number, end: number, findings: Stretch[]) => [...Stretch, inside: number[]][]} */
function cutAt(start, end, findings) {
  const near = findings
    .map(([from, to], n) => /** @type {const} */ ([from, to, n]))
    .filter(([from, to]) => from < end && start < to);
  const cuts = new Set([start, end]);
  for (const [from, to] of near) {
    if (from > start) cuts.add(from);
    if (to < end) cuts.add(to);
  }
  const places = [...cuts].sort((a, b) => a - b);
  return places
    .slice(1)
    .map((to, n) => [
      places[n],
      to,
      near.filter(([from, until]) => from < to && places[n] < until).map(([, , each]) => each),
    ]);
}

/** Runs cut at the blank lines of unchanged text.
 * @param {Run[]} runs
 * @returns {Paragraph[]} */
export function paragraphsOf(runs) {
  /** @type {Paragraph[]} */
  const paragraphs = [{ runs: [], hasChange: false }];
  for (const run of runs) {
    const parts =
      run.role === "plain"
        ? run.text.split(/(?<=\n)(?=[^\n])/).reduce(joinLines, /** @type {string[]} */ ([]))
        : [run.text];
    let from = run.from;
    for (const [n, part] of parts.entries()) {
      if (n > 0) paragraphs.push({ runs: [], hasChange: false });
      const last = paragraphs[paragraphs.length - 1];
      last.runs.push({ ...run, text: part, from });
      last.hasChange ||= run.role !== "plain" || run.findings.length > 0;
      from += part.length;
    }
    if (run.role === "plain" && run.text.endsWith(APART)) paragraphs.push({ runs: [], hasChange: false });
  }
  return paragraphs.filter((each) => each.runs.length > 0);
}

/** Lines are one part until a blank line ends it.
 * @param {string[]} parts
 * @param {string} line */
function joinLines(parts, line) {
  const last = parts.at(-1);
  if (last === undefined || last.endsWith(APART)) parts.push(line);
  else parts[parts.length - 1] = last + line;
  return parts;
}

/** Paragraphs in chunks of some thousand characters, which a browser lays out at a time.
 * @param {Paragraph[]} paragraphs */
export function chunksOf(paragraphs) {
  /** @type {Paragraph[][]} */
  const chunks = [];
  let room = 0;
  for (const each of paragraphs) {
    if (room <= 0) {
      chunks.push([]);
      room = CHUNK;
    }
    chunks[chunks.length - 1].push(each);
    room -= lengthOf(each);
  }
  return chunks;
}

/** @param {Paragraph} paragraph */
export const lengthOf = ({ runs }) => runs.reduce((sum, { text }) => sum + text.length, 0);
