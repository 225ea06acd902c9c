// An edge in words, and what is marked on it.

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

/** What tells two edges apart, as text. */
export const contentOf = ({ source, sink, source_id: tail, sink_id: head, sign, delay, flag, note }) =>
  JSON.stringify([source ?? tail, sink ?? head, sign, delay, flag, note]);

/** An edge in words that tell it from another one between the same nodes. */
export const edgeText = (edge) => `${arrowText(edge)}${edge.delay ? ", delay" : ""}`;

/** The selected edge in words, for all bars; null or undefined if there is none. */
export const selectedText = (edge) => (edge ? `Selected edge: ${edgeText(edge)}` : "No edge selected");

/** What is said of an edge, in parts. */
export const spokenParts = ({ source, sink, sign, delay, flag }) => [
  `${source} to ${sink}`,
  signWord(sign),
  delay && "delay",
  shownWord(flag ?? ""),
];
