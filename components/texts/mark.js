// Replacement of a marked stretch: its words, and a field for the user's own.

import { make, pushButton, setText } from "../desk/dom.js";
import { shortened } from "./words.js";

/** @typedef {import("../desk/types.d.ts").Frame} Frame */

/** @param {Frame} c */
export function createMark(c) {
  const was = make("del", { class: "tx-marked" });
  const field = /** @type {HTMLTextAreaElement} */ (
    make("textarea", { class: "cv-field", rows: "3", "aria-label": "Replacement", maxlength: c.data.longest })
  );
  const done = pushButton("Replace", () => finish(), { class: "cv-primary" });
  const element = make(
    "form",
    { class: "tx-mark", hidden: true, "aria-label": "Replace stretch" },
    was,
    field,
    make("p", { class: "cv-small", text: "Leave it empty to take the stretch out. Ctrl Enter replaces, Esc returns." }),
    make(
      "div",
      { class: "cv-row" },
      done,
      pushButton("Cancel", () => close()),
    ),
  );
  element.addEventListener("submit", (event) => event.preventDefault());
  field.addEventListener("keydown", (event) => {
    const isDone = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (!isDone && event.key !== "Escape") return;
    event.preventDefault();
    if (isDone) finish();
    else close();
  });
  /** @type {{stage: string, start: number, end: number, was: string} | null} */
  let stretch = null;

  function close() {
    stretch = null;
    element.hidden = true;
    c.focus();
  }

  function finish() {
    if (stretch === null) return;
    const act = { text: stretch.stage, start: stretch.start, end: stretch.end, was: stretch.was };
    if (c.act("replace_stretch", { ...act, replacement: field.value }) === null) return;
    c.say("Replaced.");
    close();
  }

  return {
    element,
    /** @param {{stage: string, start: number, end: number, was: string}} wanted */
    open(wanted) {
      stretch = wanted;
      setText(was, shortened(wanted.was, 400));
      field.value = "";
      element.hidden = false;
      field.focus();
    },
    /** Restore the typed text if the store refused it. */
    giveBack(act) {
      stretch = { stage: act.text, start: act.start, end: act.end, was: act.was };
      setText(was, shortened(act.was, 400));
      field.value = act.replacement;
      element.hidden = false;
    },
  };
}
