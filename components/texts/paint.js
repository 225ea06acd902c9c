// Elements of a text: chunks that a browser lays out when they become visible, paragraphs, runs.

import { make } from "../desk/dom.js";
import { chunksOf, lengthOf, paragraphsOf } from "./pieces.js";

/** @typedef {import("./types.d.ts").Run} Run */
/** @typedef {import("./types.d.ts").Paragraph} Paragraph */

const LINE = 76; // characters, about
const LINE_PX = 23;
/** @type {Record<Run["role"], "span" | "del" | "ins">} */
const TAGS = { plain: "span", was: "del", put: "ins", left: "span" };
const CLASSES = { plain: "tx-plain", was: "tx-was", put: "tx-put", left: "tx-kept" };
const HEADING = /^#{1,6} .*$/gm;

/** The chunks of a text, each with space for its words, which `fill` adds. `kinds`: of each change by its number;
 * `leaks`: whether each finding is structural; `drawnPlain`: the nodes of unchanged words.
 * @param {Run[]} runs
 * @param {Map<number, string>} kinds
 * @param {boolean[]} leaks
 * @param {(text: string) => (Node | string)[]} drawnPlain */
export const painted = (runs, kinds, leaks, drawnPlain = withHeadings) =>
  chunksOf(paragraphsOf(runs)).map((paragraphs) => chunk(paragraphs, kinds, leaks, drawnPlain));

/** @param {Paragraph[]} paragraphs @param {Map<number, string>} kinds @param {boolean[]} leaks
 * @param {(text: string) => (Node | string)[]} drawnPlain */
function chunk(paragraphs, kinds, leaks, drawnPlain) {
  const length = paragraphs.reduce((sum, each) => sum + lengthOf(each), 0);
  const element = make("div", { class: "tx-chunk" });
  element.style.containIntrinsicSize = `auto ${Math.ceil(length / LINE) * LINE_PX + 20}px`;
  return {
    element,
    /** @param {(run: Run) => boolean} isMeant */
    has: (isMeant) => paragraphs.some(({ runs }) => runs.some(isMeant)),
    fill: () => element.append(...paragraphs.map((each) => paragraph(each, kinds, leaks, drawnPlain))),
  };
}

/** @param {Paragraph} given @param {Map<number, string>} kinds @param {boolean[]} leaks
 * @param {(text: string) => (Node | string)[]} drawnPlain */
function paragraph({ runs, hasChange }, kinds, leaks, drawnPlain) {
  return make(
    "div",
    { class: "tx-paragraph", "data-changed": hasChange },
    ...runs.map((each) => painting(each, kinds, leaks, drawnPlain)),
  );
}

/** @param {Run} run */
function painting({ role, text, from, number, findings }, kinds, leaks, drawnPlain) {
  const kind = number === null ? "" : kinds.get(number);
  return make(
    TAGS[role],
    {
      class: CLASSES[role],
      "data-from": from,
      "data-role": role,
      "data-number": number,
      "data-kind": role === "was" ? kind : role === "left" ? `${kind}, rejected` : null,
      "data-findings": findings.length > 0 ? findings.join(" ") : null,
      "data-leak": findings.some((n) => leaks[n]),
    },
    ...(role === "plain" ? drawnPlain(text) : [text]),
  );
}

function withHeadings(text) {
  const parts = [];
  let done = 0;
  for (const match of text.matchAll(HEADING)) {
    parts.push(text.slice(done, match.index), make("b", { class: "tx-heading", text: match[0] }));
    done = match.index + match[0].length;
  }
  return [...parts, text.slice(done)].filter((part) => part !== "");
}
