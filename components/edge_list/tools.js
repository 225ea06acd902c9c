// The bar below the list: the selected edge, its controls for mouse and touch, and its warning and note.

import { make, pushButton, setText } from "../desk/dom.js";
import { selectedText } from "../desk/edges.js";
import { shownWord } from "../desk/stored_words.js";
import { warningOf } from "./row.js";

/** Warning and note of an edge, below its controls. */
const detailsOf = (edge) =>
  [warningOf(edge) && `Check: ${warningOf(edge)}`, edge.note && `Note: ${edge.note}`].filter(Boolean).join("   ");

export function createTools(c) {
  const signButton = (text, sign, label, title) =>
    pushButton(text, () => c.commands.setSign(sign), { class: "square", "aria-label": label, title });
  /** @type {[sign: import("../desk/types.d.ts").Sign, button: HTMLButtonElement][]} */
  const signs = [
    ["+", signButton("+", "+", "Plus", "Plus (+)")],
    ["-", signButton("−", "-", "Minus", "Minus (-)")],
    ["", signButton("→", "", "No printed sign", "No printed sign (0)")],
  ];
  const delay = pushButton("Delay", () => c.commands.toggleDelay(), { title: "Delay mark (d)" });
  const flag = make("select", { "aria-label": "Flag", title: "Flag (f)" });
  flag.addEventListener("change", () => c.commands.setField(c.selection.id(), "flag", flag.value));
  const bar = make(
    "div",
    { class: "bar", role: "toolbar", "aria-labelledby": "selected" },
    make("span", { class: "joined" }, ...signs.map(([, control]) => control)),
    delay,
    flag,
    pushButton("Note", () => c.commands.editNote(), { title: "Note (n)" }),
    pushButton("Edit", () => c.commands.editEnds(), { title: "Edit source and sink (Enter)" }),
    pushButton("Remove", () => c.commands.remove(), { title: "Remove the edge (Delete)" }),
  );
  const named = make("p", { class: "selected", id: "selected" });
  bar.addEventListener("focusin", () => c.list.revealSelected()); // reveal the edge before it is changed
  const details = make("p", { class: "details" });
  const element = make("div", { class: "tools" }, named, bar, c.editing.element, details);

  function drawFlags(edge) {
    if (flag.options.length !== c.data.flags.length + 1) {
      flag.replaceChildren(
        make("option", { value: "", text: "No flag" }),
        ...c.data.flags.map((value) => make("option", { value, text: shownWord(value) })),
      );
    }
    flag.value = edge?.flag ?? "";
  }

  return {
    element,
    draw() {
      const edge = c.commands.selected();
      setText(named, c.editing.title() || selectedText(edge));
      const cannot = !c.isEditable() || edge === null;
      /** @type {NodeListOf<HTMLButtonElement | HTMLSelectElement>} */
      const controls = bar.querySelectorAll("button, select");
      for (const control of controls) control.disabled = cannot;
      for (const [sign, control] of signs) control.setAttribute("aria-pressed", String(edge?.sign === sign));
      delay.setAttribute("aria-pressed", String(edge?.delay ?? false));
      drawFlags(edge);
      const text = edge === null ? "" : detailsOf(edge);
      setText(details, text);
      details.hidden = text === "";
      bar.hidden = c.editing.title() !== "";
      element.hidden = !bar.hidden && (c.graph.view().edges.size === 0 || !c.data.editable);
    },
  };
}
