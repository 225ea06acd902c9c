// A link that opens in this tab; Streamlit's own open another. All text arrives as data and is set as text.

import { make } from "../desk/dom.js";

/** @param {{parentElement: any, data: import("./types.d.ts").DoorData}} mounted */
export default function ({ parentElement, data: { href, text } }) {
  const root = parentElement.querySelector("[data-doors]");
  const signature = JSON.stringify([href, text]);
  if (root.dataset.made === signature) return;
  root.dataset.made = signature;
  root.replaceChildren(make("a", { href, target: "_self", text }));
}
