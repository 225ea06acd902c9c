// An edge in words, and its marks.

import { shownWord } from "./stored_words.js";

/** @typedef {import("./types.d.ts").EdgeMark} EdgeMark */
/** @typedef {import("./types.d.ts").NamedEdge} NamedEdge */
/** @typedef {import("./types.d.ts").Sign} Sign */

/** @param {Sign} sign */
export const signText = (sign) => (sign === "+" ? "+" : sign === "-" ? "−" : "");
/** @param {Sign} sign */
export const signWord = (sign) => (sign === "+" ? "plus" : sign === "-" ? "minus" : "no sign");
/** @param {Pick<NamedEdge, "source" | "sink" | "sign">} edge */
export const arrowText = ({ source, sink, sign }) => `${source} → ${sink}${sign ? ` ${signText(sign)}` : ""}`;

/** @type {EdgeMark} */
export const NO_MARK = Object.freeze({ sign: "", delay: false });
/** @type {(edge: EdgeMark) => EdgeMark} */
export const markOf = ({ sign, delay }) => ({ sign, delay });
/** @param {EdgeMark} mark */
export const isMarked = ({ sign, delay }) => sign !== "" || delay;
/** @param {EdgeMark} mark */
export const markWords = ({ sign, delay }) => [sign && signWord(sign), delay && "delay"].filter(Boolean);

/** Content of an edge as text, to compare two edges.
 * @param {import("./types.d.ts").EdgeContent} edge */
export const contentOf = ({ source, sink, source_id: tail, sink_id: head, sign, delay, flag, note }) =>
  JSON.stringify([source ?? tail, sink ?? head, sign, delay, flag, note]);

/** An edge in words that distinguish it from others between the same nodes.
 * @param {NamedEdge} edge */
export const edgeText = (edge) => `${arrowText(edge)}${edge.delay ? ", delay" : ""}`;

/** The selected edge in words, for all bars.
 * @param {NamedEdge | null | undefined} edge */
export const selectedText = (edge) => (edge ? `Selected edge: ${edgeText(edge)}` : "No edge selected");

/** Words of an edge for screen readers, in parts.
 * @param {NamedEdge} edge */
export const spokenParts = ({ source, sink, sign, delay, flag }) => [
  `${source} to ${sink}`,
  signWord(sign),
  delay && "delay",
  shownWord(flag ?? ""),
];
