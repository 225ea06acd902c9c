// One link that opens in this tab; Streamlit's own open another. All text arrives as data and is set as text.

import { make } from "../desk/dom.js";

/** @param {{parentElement: any, data: import("./types.d.ts").DoorData}} mounted */
export default function ({ parentElement, data: { href, text } }) {
  const root = parentElement.querySelector("[data-doors]");
  const made = JSON.stringify([href, text]);
  if (root.dataset.made === made) return;
  root.dataset.made = made;
  root.replaceChildren(make("a", { href, target: "_self", text }));
}
