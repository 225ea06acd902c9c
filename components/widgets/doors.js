// One link or one POST form. Streamlit's own links open a new tab, and its buttons cannot end a session: that takes
// a real form with the session's token. All text arrives as data and is set as text.

import { make } from "../desk/dom.js";

/** @param {{parentElement: any, data: import("./types.d.ts").DoorData}} mounted */
export default function ({ parentElement, data }) {
  const root = parentElement.querySelector("[data-doors]");
  const made = JSON.stringify(data);
  if (root.dataset.made === made) return;
  root.dataset.made = made;
  root.replaceChildren(data.fields ? makeForm(data, data.fields) : makeLink(data));
}

// The menu entry of the open screen leads to its list: Streamlit's own does nothing where the path stays the same. This
// component stands below the menu on every screen.
if (!window.edgewiseMenu) {
  window.edgewiseMenu = true;
  document.addEventListener("click", toList, true);
}

function toList(event) {
  const link = event.target.closest?.("[data-testid=stSidebarNavLink]");
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (new URL(link.href).pathname !== location.pathname || location.search === "") return;
  event.preventDefault();
  event.stopPropagation();
  history.pushState(null, "", location.pathname);
  dispatchEvent(new PopStateEvent("popstate")); // as the Back button: the page is drawn again, by its new address
}

const makeLink = ({ href, text }) => make("a", { href, target: "_self", text });

function makeForm({ href, text }, fields) {
  const hidden = Object.entries(fields).map(([name, value]) => make("input", { type: "hidden", name, value }));
  return make("form", { method: "post", action: href }, ...hidden, make("button", { text }));
}
