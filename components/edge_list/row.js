// One edge in the list: its row, and the rows of typed lines that wait for their edges.

import { changes, make, pushButton, setText, targetOf } from "../desk/dom.js";
import { signText, signWord, spokenParts } from "../desk/edges.js";
import { shownWord } from "../desk/stored_words.js";

const WAITING_SHOWN = 4;
const SHORT_FLAGS = new Map([
  ["ambiguous arrow", "ambiguous"],
  ["illegible name", "illegible"],
  ["arrow without head", "no head"],
]);

/** Warning about an edge in a few words, "" if none. */
export const warningOf = ({ source, sink }) => (source === sink ? "self-loop" : "");

/** An edge for a screen reader. */
export function spoken(edge) {
  const warning = warningOf(edge);
  return [...spokenParts(edge), edge.note && `note: ${edge.note}`, warning && `warning: ${warning}`, edge.state]
    .filter(Boolean)
    .join(", ");
}

/** `on`: {select(), cycleSign(), edit(end)}, actions of the row. */
export function createRow(on) {
  const source = make("span", { class: "name" });
  const sink = make("span", { class: "name" });
  const sign = pushButton("", () => on.cycleSign(), { class: "sign", tabindex: "-1" });
  const marks = make("span", { class: "marks", role: "gridcell" });
  const sinkCell = make("span", { role: "gridcell", class: "sink" }, sink);
  const node = make(
    "div",
    { class: "row", role: "row", tabindex: "-1", "aria-selected": "false" },
    make("span", { role: "gridcell", class: "source" }, source),
    make("span", { role: "gridcell", class: "signcell" }, sign),
    sinkCell,
    marks,
  );
  node.addEventListener("click", (event) => {
    if (targetOf(event).closest("input")) return;
    on.select();
    if (!targetOf(event).closest("button")) node.focus({ preventScroll: true });
  });
  node.addEventListener("dblclick", (event) => {
    const target = targetOf(event);
    if (!target.closest("button, input")) on.edit(sinkCell.contains(target) ? "sink" : "source");
  });
  node.addEventListener("focus", () => on.select());
  return { node, source, sink, sign, marks, isNew: changes() };
}

export function drawRow(row, edge, isEditable) {
  if (!row.isNew(edge, isEditable)) return;
  setText(row.source, edge.source);
  setText(row.sink, edge.sink);
  setText(row.sign, signText(edge.sign) || "→");
  row.sign.dataset.sign = edge.sign;
  row.sign.disabled = !isEditable;
  row.sign.setAttribute("aria-label", `Sign: ${signWord(edge.sign)}`);
  row.sign.title = `Sign: ${signWord(edge.sign)} (keys + - 0)`;
  row.node.dataset.state = edge.state;
  row.node.setAttribute("aria-label", spoken(edge));
  row.marks.replaceChildren(...marksOf(edge));
}

function marksOf(edge) {
  const marks = [];
  if (edge.delay) marks.push(make("span", { class: "mark", text: "delay" }));
  if (edge.note) marks.push(make("span", { class: "mark", text: "note", title: edge.note }));
  if (edge.flag) {
    const flag = shownWord(edge.flag);
    marks.push(make("span", { class: "mark doubt", text: SHORT_FLAGS.get(flag) ?? flag, title: flag }));
  }
  const warning = warningOf(edge);
  if (warning) marks.push(make("span", { class: "mark doubt", text: warning, title: warning }));
  if (edge.state) marks.push(make("span", { class: "mark", text: edge.state }));
  return marks;
}

/** Rows for the lines of one act, at most the first few. */
export function waitingRows({ text }, isHalted) {
  const all = text
    .split("\n")
    .map((part) => part.trim())
    .filter(Boolean);
  const first = all.slice(0, WAITING_SHOWN - 1);
  const shown = all.length > WAITING_SHOWN ? [...first, `and ${all.length - first.length} more lines`] : all;
  return shown.map((part) =>
    make(
      "div",
      { class: "row waiting", role: "row" },
      make("span", { role: "gridcell", "aria-colspan": "3", text: part }),
      make(
        "span",
        { role: "gridcell", class: "marks" },
        make("span", { class: "mark", text: isHalted ? "waiting" : "saving" }),
      ),
    ),
  );
}
