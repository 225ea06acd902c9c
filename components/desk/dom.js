// Small parts of every component: elements, their text, buttons, counted words. Text is set by textContent only:
// labels and names come from papers and may be hostile.

/** @typedef {import("./types.d.ts").Attributes} Attributes */

/** @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} children */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = /** @type {string | null} */ (value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

/** @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {string} label
 * @param {(event: MouseEvent) => void} act
 * @param {Attributes} [attributes] */
export function pushButton(label, act, attributes = {}) {
  const element = make("button", { type: "button", text: label, ...attributes });
  element.addEventListener("click", act);
  return element;
}

/** The element on which an event happened.
 * @param {Event} event */
export const targetOf = (event) => /** @type {HTMLElement} */ (event.target);

/** Return a function that says at each call whether its arguments changed, so that a redraw is needed. */
export function changes() {
  let last = "";
  return (/** @type {unknown[]} */ ...given) => {
    const before = last;
    last = JSON.stringify(given);
    return last !== before;
  };
}

/** Do `act` with the next frame, once for all calls before it.
 * @param {() => void} act */
export function oncePerFrame(act) {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      act();
    });
  };
}

/** Scroll `scroller` alone until an item is visible; the page does not move.
 * @param {Element} scroller
 * @param {HTMLElement} item */
export function scrollTo(scroller, { offsetTop: top, offsetHeight: height }) {
  const { scrollTop, clientHeight } = scroller;
  if (top < scrollTop) scroller.scrollTop = top;
  else if (top + height > scrollTop + clientHeight) scroller.scrollTop = Math.min(top, top + height - clientHeight);
}

/** A button that says which key does the same.
 * @param {string} key
 * @param {(event: MouseEvent) => void} act
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} parts */
export function keyButton(key, act, attributes = {}, ...parts) {
  const button = make("button", { type: "button", ...attributes }, make("kbd", { text: key }), ...parts);
  button.addEventListener("click", act);
  return button;
}

/** @param {number} n @param {string} word */
export const count = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
