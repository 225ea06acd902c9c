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
  const status = make("span", { class: "cv-small", role: "status" });
  const element = make(
    "div",
    { class: "cv-row tx-search", hidden: true },
    field,
    status,
    pushButton("Close", () => close()),
  );
  let places = [];
  let at = -1;

  function close() {
    element.hidden = true;
    c.text.forgetPlace();
    c.focus();
  }

  function step(by) {
    if (places.length === 0) return;
    at = (at + by + places.length) % places.length;
    setText(status, `${(at + 1).toLocaleString("en")} of ${places.length.toLocaleString("en")}`);
    c.text.revealPlace(places[at], field.value.trim().length);
  }

  field.addEventListener("input", () => {
    places = placesOfWords(c.text.text(), field.value);
    at = -1;
    setText(status, places.length === 0 && field.value.trim() !== "" ? "Not found" : "");
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
