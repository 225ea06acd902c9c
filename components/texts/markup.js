// A Markdown paragraph as it reads: its marks stay in the page as hidden text, so that every place and every marked
// stretch is that of the stored text. Only the elements made here exist; nothing of the text becomes one.

import { make } from "../desk/dom.js";

const FENCE = /^\s*(?:```|~~~)/;
const STARTS = /[\\`$![*_<]/gu;
// In order of precedence: escape, code, formula, picture or link, bold, slanted, a few tags.
/** @type {[RegExp, (source: string) => (Node | string)[]][]} */
const SPANS = [
  [/\\[!-/:-@[-`{-~]/uy, (source) => [hidden("\\"), source.slice(1)]],
  [/(?<!`)`(?!`)[^`\n]+`/uy, (source) => wrapped("code", source, 1)],
  [/(?<!`)``(?!`)[^`\n]+``/uy, (source) => wrapped("code", source, 2)],
  [/\$\$[^$\n]+\$\$/uy, (source) => wrapped("code", source, 2)],
  [/\$(?=\S)[^$\n]*[^\s$]\$(?!\d)/uy, (source) => wrapped("code", source, 1)],
  [
    /!?\[[^[\]\n]*\]\((?:[^()\s]|\([^()\s]*\))*\)/uy,
    (source) => wrapped("u", source, source.indexOf("[") + 1, source.length - source.lastIndexOf("](")),
  ],
  [/\*\*(?=[^\s*])[^*\n]*(?<=\S)\*\*/uy, (source) => wrapped("b", source, 2)],
  [/(?<![\p{L}\d_])__(?=[^\s_])[^_\n]*(?<=\S)__/uy, (source) => wrapped("b", source, 2)],
  [/\*(?=[^\s*])[^*\n]*(?<=[^\s*])\*/uy, (source) => wrapped("i", source, 1)],
  [/(?<![\p{L}\d_])_(?=[^\s_])[^_\n]*(?<=[^\s_])_(?![\p{L}\d_])/uy, (source) => wrapped("i", source, 1)],
  [/<sup>[^<\n]*<\/sup>/uy, (source) => wrapped("sup", source, 5, 6)],
  [/<sub>[^<\n]*<\/sub>/uy, (source) => wrapped("sub", source, 5, 6)],
  [/<br\s*\/?>/uy, (source) => [hidden(source), make("br")]],
  [/<\/?(?:br|b|i|em|strong|u|span|p)\s*\/?>/uy, (source) => [hidden(source)]],
];

/** A piece of the source that is not shown.
 * @param {string} text */
const hidden = (text) => make("span", { class: "tx-markup", text });

/** The nodes of a paragraph; together their text is `text`.
 * @param {string} text
 * @returns {(Node | string)[]} */
export function formatted(text) {
  let isCode = false;
  return text.split(/(?<=\n)/).flatMap((line) => {
    const end = line.endsWith("\n") ? "\n" : "";
    const words = end === "" ? line : line.slice(0, -1);
    if (FENCE.test(words)) {
      isCode = !isCode;
      return [hidden(words + end)];
    }
    return isCode ? [make("code", { text: words }), end] : formattedLine(words, end);
  });
}

/** @param {string} line
 * @param {string} end  its line break, or nothing
 * @returns {(Node | string)[]} */
function formattedLine(line, end) {
  const isRuler = /^[\s:|-]+$/.test(line) && line.includes("---") && line.includes("|"); // below the head of a table
  if (isRuler) return [hidden(line + end)];
  if (/^\s*\|.*\|\s*$/.test(line)) return [tableRow(line), hidden(end)];
  const [mark] = /^(?:#{1,6}[ \t]+|>[ \t]?|\s*[-*+][ \t]+(?=\S))/.exec(line) ?? [""];
  const words = line.slice(mark.length);
  if (mark.startsWith("#")) {
    return [make("b", { class: "tx-heading", "data-level": mark.trim().length }, hidden(mark), ...inline(words)), end];
  }
  if (mark === "") return [...inline(line), end];
  const kind = mark.startsWith(">") ? "tx-quoted" : "tx-listed";
  return [make("span", { class: kind }, hidden(mark), ...inline(words)), hidden(end)];
}

/** @param {string} line */
function tableRow(line) {
  const cells = line.split(/(?<!\\)(\|)/).filter((part) => part !== "");
  return make(
    "span",
    { class: "tx-row" },
    ...cells.map((part, n) =>
      part === "|" || (part.trim() === "" && (n === 0 || n === cells.length - 1))
        ? hidden(part)
        : make("span", { class: "tx-cell" }, ...inline(part)),
    ),
  );
}

/** @param {string} text
 * @returns {(Node | string)[]} */
function inline(text) {
  /** @type {(Node | string)[]} */
  const nodes = [];
  let done = 0;
  for (const { index } of text.matchAll(STARTS)) {
    if (index < done) continue;
    const [source, draw] = spanAt(text, index);
    if (draw === null) continue;
    nodes.push(text.slice(done, index), ...draw(source));
    done = index + source.length;
  }
  return [...nodes, text.slice(done)].filter((each) => each !== "");
}

/** The source of the span that begins at `index`, and what draws it; null if none begins there.
 * @param {string} text
 * @param {number} index
 * @returns {[string, ((source: string) => (Node | string)[]) | null]} */
function spanAt(text, index) {
  for (const [pattern, draw] of SPANS) {
    pattern.lastIndex = index;
    const match = pattern.exec(text);
    if (match !== null) return [match[0], draw];
  }
  return ["", null];
}

/** A span with the first and last characters of its source hidden.
 * @param {"b" | "i" | "u" | "code" | "sup" | "sub"} tag
 * @param {string} source
 * @param {number} before
 * @param {number} [after]
 * @returns {(Node | string)[]} */
function wrapped(tag, source, before, after = before) {
  const words = source.slice(before, source.length - after);
  const inner = tag === "b" || tag === "i" || tag === "u" ? inline(words) : [words];
  return [make(tag, {}, hidden(source.slice(0, before)), ...inner, hidden(source.slice(source.length - after)))];
}
