// The desk's words: choices, sides, rows of the list. Values in, texts (or parts of a line) out.

import { make } from "../desk/dom.js";
import { arrowText } from "../desk/edges.js";

export const CHOICE_WORDS = { A: "A", B: "B", both: "both", neither: "neither" };
export const hasDelay = (marks) => marks.some(({ delay }) => delay);

/** Outcomes of the choices on a difference, in a few words: [choice, words][]. */
export function outcomesOf({ kind, a_says: a, b_says: b }) {
  const more = {
    direction: { both: "an edge in each direction", neither: "no edge between them" },
    sign: { both: "", neither: "no printed sign" },
  }[kind] ?? { both: "", neither: "" };
  return [
    ["A", a],
    ["B", b],
    ["both", more.both],
    ["neither", more.neither],
  ];
}

/** Who drew the edge, for a row of the list. */
export function kindWords({ kind, a }) {
  if (kind === "arrow") return a.length > 0 ? "only A" : "only B";
  if (kind === "variable") return a.length > 0 ? "node, only A" : "node, only B";
  return kind;
}

/** A ruling as shown in a row: "A", "both", "two variables" … */
export function rulingWords(item) {
  const { ruling } = item;
  if (ruling === null) return "";
  if (item.type !== "name") return CHOICE_WORDS[ruling.choice];
  if (ruling.choice === "both") return "two variables";
  return ruling.choice === "neither" ? "other wording" : `${ruling.choice}'s wording`;
}

/** Subject of an item in one line, by the current names. */
export function itemText(item, named) {
  if (item.type === "name") {
    const { question, ruling } = item;
    const other = ruling === null ? (question.reference ?? question.offers[0] ?? null) : ruling.reference;
    return other === null ? question.name : `${question.name} ≈ ${other}`;
  }
  if (item.type === "own")
    return arrowText({ source: named(item.own.source), sink: named(item.own.sink), sign: item.own.sign });
  const { source, sink } = item.found;
  if (item.found.kind === "variable") return named(source);
  if (item.found.kind === "verdict") return "Is there a graph?";
  const sign = item.type === "agreed" ? item.found.a[0].sign : item.type === "read" ? item.found.sign : "";
  return arrowText({ source: named(source), sink: named(sink), sign });
}

/** Position of an item among those of its sort: "Edge 3 of 9". */
export function placeText(item, items) {
  if (item.type === "agreed") return "Both drew this";
  if (item.type === "own") return item.own.is_there ? "Edge added by you" : "Edge removed by you";
  if (item.type === "read")
    return item.found.other_marks ? `Read with another ${item.found.other_marks}` : "Read by the program only";
  const alike = items.filter(({ type, isQuiet }) => type === item.type && !isQuiet);
  const place = alike.indexOf(item) + 1;
  const noun = item.type === "name" ? "Name" : item.found.kind === "verdict" ? "Question" : "Edge";
  return place > 0 ? `${noun} ${place} of ${alike.length}` : "No ruling needed";
}

/** A name as parts of a line of text, its differences from `other` marked. */
export function markedName(name, other) {
  if (other === null || other === name) return [name];
  const [mine, theirs] = [[...name], [...other]];
  const least = Math.min(mine.length, theirs.length);
  let start = 0;
  while (start < least && mine[start] === theirs[start]) start += 1;
  let end = 0;
  while (end < least - start && mine.at(-1 - end) === theirs.at(-1 - end)) end += 1;
  const middle = mine.slice(start, mine.length - end).join("");
  const parts = [
    mine.slice(0, start).join(""),
    middle && make("mark", { text: middle }),
    mine.slice(mine.length - end).join(""),
  ];
  return parts.filter((part) => part !== "");
}
