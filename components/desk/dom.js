// Small parts of every component: elements, their text, buttons, counted words. Text is set by textContent only:
// labels and names come from papers and may be hostile.

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = value;
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function pushButton(label, act, attributes = {}) {
  const element = make("button", { type: "button", text: label, ...attributes });
  element.addEventListener("click", act);
  return element;
}

/** Return a function that says at each call whether its arguments changed, so that a redraw is needed. */
export function changes() {
  let last = "";
  return (...given) => {
    const before = last;
    last = JSON.stringify(given);
    return last !== before;
  };
}

/** Do `act` with the next frame, once for all calls before it. */
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

/** Scroll `scroller` alone until `item` is visible; the page does not move. */
export function scrollTo(scroller, { offsetTop: top, offsetHeight: height }) {
  const { scrollTop, clientHeight } = scroller;
  if (top < scrollTop) scroller.scrollTop = top;
  else if (top + height > scrollTop + clientHeight) scroller.scrollTop = Math.min(top, top + height - clientHeight);
}

/** A button that says which key does the same. */
export function keyButton(key, act, attributes = {}, ...parts) {
  const button = make("button", { type: "button", ...attributes }, make("kbd", { text: key }), ...parts);
  button.addEventListener("click", act);
  return button;
}

export const count = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
