// The comment field, the same on every desk: Esc and Ctrl Enter return to the keys.

import { make } from "./dom.js";

/** Return {element, draw(text, isOpen)}.
 * @param {{focus(): void}} c
 * @param {string} look  its class
 * @param {number} longest  in characters
 * @param {object} on
 * @param {(text: string) => void} on.onInput  on every input
 * @param {() => void} on.onLeave  when it is left */
export function createComment(c, look, longest, { onInput, onLeave }) {
  const element = make("textarea", {
    class: `cv-field ${look}`,
    rows: "2",
    placeholder: "Comment (c)",
    "aria-label": "Comment",
    maxlength: longest,
  });
  element.addEventListener("input", () => onInput(element.value));
  element.addEventListener("blur", onLeave);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" && !(event.key === "Enter" && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    c.focus();
  });
  return {
    element,
    /** @param {string} text @param {boolean} isOpen */
    draw(text, isOpen) {
      if (element.value !== text) element.value = text;
      element.readOnly = !isOpen;
    },
  };
}
