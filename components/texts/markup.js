// A Markdown paragraph as it reads: its marks stay in the page as hidden text, so that every place and every marked
// stretch is that of the stored text. Only the elements made here exist; nothing of the text becomes one.

import { make } from "../desk/dom.js";

const FENCE = /^\s*(?:```|~~~)/;
const RULER = /^\s*\|?[\s:|-]*-{3,}[\s:|-]*$/; // between the head and the rows of a table
// In order of precedence: escape, code, formula, picture or link, bold, slanted, a few tags.
const INLINE = new RegExp(
  [
    String.raw`(?<escape>\\[!-\/:-@\[-\x60\{-~])`,
    String.raw`(?<code>(?<tick>\x60+)[^\x60\n]+\k<tick>)`,
    String.raw`(?<formula>\$\$[^$\n]+\$\$|\$(?=\S)[^$\n]*[^\s$]\$(?!\d))`,
    String.raw`(?<link>!?\[[^\[\]\n]*\]\((?:[^()\s]|\([^()\s]*\))*\))`,
    String.raw`(?<bold>\*\*(?=\S)(?:(?!\*\*)[^\n])+(?<=\S)\*\*|(?<![\p{L}\d_])__(?=\S)(?:(?!__)[^\n])+(?<=\S)__)`,
    String.raw`(?<slanted>\*(?=[^\s*])[^*\n]*(?<=[^\s*])\*|(?<![\p{L}\d_])_(?=[^\s_])[^_\n]*(?<=[^\s_])_(?![\p{L}\d_]))`,
    String.raw`(?<raised><sup>[^<\n]*</sup>)`,
    String.raw`(?<lowered><sub>[^<\n]*</sub>)`,
    String.raw`(?<tag></?(?:br|b|i|em|strong|u|span|p)\s*/?>)`,
  ].join("|"),
  "gu",
);

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
  if (RULER.test(line) && line.includes("|")) return [hidden(line + end)];
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
  for (const match of text.matchAll(INLINE)) {
    nodes.push(text.slice(done, match.index), ...span(match[0], match.groups ?? {}));
    done = match.index + match[0].length;
  }
  return [...nodes, text.slice(done)].filter((each) => each !== "");
}

/** @param {string} source
 * @param {Record<string, string | undefined>} groups
 * @returns {(Node | string)[]} */
function span(source, groups) {
  /** @type {(tag: "b" | "i" | "u" | "code" | "sup" | "sub", before: number, after?: number) => Node} */
  const wrapped = (tag, before, after = before) => {
    const words = source.slice(before, source.length - after);
    const inner = tag === "b" || tag === "i" || tag === "u" ? inline(words) : [words];
    return make(tag, {}, hidden(source.slice(0, before)), ...inner, hidden(source.slice(source.length - after)));
  };
  if (groups.escape) return [hidden("\\"), source.slice(1)];
  if (groups.code) return [wrapped("code", groups.tick?.length ?? 1)];
  if (groups.formula) return [wrapped("code", source.startsWith("$$") ? 2 : 1)];
  if (groups.link) return [wrapped("u", source.indexOf("[") + 1, source.length - source.lastIndexOf("]("))];
  if (groups.bold) return [wrapped("b", 2)];
  if (groups.slanted) return [wrapped("i", 1)];
  if (groups.raised) return [wrapped("sup", 5, 6)];
  if (groups.lowered) return [wrapped("sub", 5, 6)];
  return source.startsWith("<br") ? [hidden(source), make("br")] : [hidden(source)];
}
