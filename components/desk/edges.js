// An edge in words, and its marks.

import { shownWord } from "./stored_words.js";

export const signText = (sign) => (sign === "+" ? "+" : sign === "-" ? "−" : "");
export const signWord = (sign) => (sign === "+" ? "plus" : sign === "-" ? "minus" : "no sign");
export const arrowText = ({ source, sink, sign }) => `${source} → ${sink}${sign ? ` ${signText(sign)}` : ""}`;

/** @type {import("./types.d.ts").EdgeMark} */
export const NO_MARK = Object.freeze({ sign: "", delay: false });
/** @returns {import("./types.d.ts").EdgeMark} */
export const markOf = ({ sign, delay }) => ({ sign, delay });
export const isMarked = ({ sign, delay }) => sign !== "" || delay;
/** @param {import("./types.d.ts").EdgeMark} mark */
export const markWords = ({ sign, delay }) => [sign && signWord(sign), delay && "delay"].filter(Boolean);

/** Content of an edge as text, to compare two edges. */
export const contentOf = ({ source, sink, source_id: tail, sink_id: head, sign, delay, flag, note }) =>
  JSON.stringify([source ?? tail, sink ?? head, sign, delay, flag, note]);

/** An edge in words that distinguish it from others between the same nodes. */
export const edgeText = (edge) => `${arrowText(edge)}${edge.delay ? ", delay" : ""}`;

/** The selected edge in words, for all bars; null or undefined if there is none. */
export const selectedText = (edge) => (edge ? `Selected edge: ${edgeText(edge)}` : "No edge selected");

/** Words of an edge for screen readers, in parts. */
export const spokenParts = ({ source, sink, sign, delay, flag }) => [
  `${source} to ${sink}`,
  signWord(sign),
  delay && "delay",
  shownWord(flag ?? ""),
];
