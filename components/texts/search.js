// Search within the text of a stage: a field that opens above it.

import { make, pushButton, setText } from "../desk/dom.js";
import { placesOfWords } from "./view.js";

/** @typedef {import("../desk/types.d.ts").Frame} Frame */

/** @param {Frame} c */
export function createSearch(c) {
  const field = /** @type {HTMLInputElement} */ (
    make("input", {
      class: "cv-field",
      type: "search",
      "aria-label": "Search the text",
      placeholder: "Search the text",
    })
  );
  const told = make("span", { class: "cv-small", role: "status" });
  const element = make(
    "div",
    { class: "cv-row tx-search", hidden: true },
    field,
    told,
    pushButton("Close", () => close()),
  );
  let found = [];
  let at = -1;

  function close() {
    element.hidden = true;
    c.text.forgetPlace();
    c.focus();
  }

  function step(by) {
    if (found.length === 0) return;
    at = (at + by + found.length) % found.length;
    setText(told, `${(at + 1).toLocaleString("en")} of ${found.length.toLocaleString("en")}`);
    c.text.revealPlace(found[at], field.value.trim().length);
  }

  field.addEventListener("input", () => {
    found = placesOfWords(c.text.text(), field.value);
    at = -1;
    setText(told, found.length === 0 && field.value.trim() !== "" ? "Not found" : "");
    step(1);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  });

  return {
    element,
    open() {
      element.hidden = false;
      field.focus();
      field.select();
    },
  };
}
