// The pages by section, who is signed in, and the form that signs out. All text arrives as data and is set as text.

import { make } from "../desk/dom.js";

const NARROW = 768; // pixels: below, Streamlit's menu covers the screen

/** @param {{parentElement: any, data: MenuData}} mounted */
export default function ({ parentElement, data }) {
  const root = parentElement.querySelector("[data-menu]");
  const signature = JSON.stringify(data);
  if (root.dataset.made === signature) return;
  root.dataset.made = signature;
  const focused = root.getRootNode().activeElement?.getAttribute("href");
  root.replaceChildren(makeBrand(data), makePages(data), makeWho(data));
  if (focused) root.querySelector(`[href="${focused}"]`)?.focus();
}

/** @typedef {import("./types.d.ts").MenuData} MenuData */

/** @param {MenuData} data */
const makeBrand = ({ mark }) =>
  make("div", { class: "brand" }, make("img", { src: mark, alt: "" }), make("span", { text: "Edgewise" }));

/** @param {MenuData} data */
const makePages = ({ sections }) => make("nav", { "aria-label": "Pages" }, ...sections.flatMap(makeSection));

/** @param {MenuData["sections"][number]} section */
const makeSection = ({ title, pages }) => [
  make("p", { text: title, "aria-hidden": "true" }),
  make("ul", { "aria-label": title }, ...pages.map((page) => make("li", {}, makeLink(page)))),
];

/** The test ID is that of a link in Streamlit's own menu, for tools that drive a browser.
 * @param {import("./types.d.ts").MenuPage} page */
function makeLink({ title, href, icon, is_open: isOpen }) {
  const mark = make("span", { class: "icon", "aria-hidden": "true", "data-icon": icon });
  const attributes = { href, "aria-current": isOpen ? "page" : null, "data-testid": "stSidebarNavLink" };
  const link = make("a", attributes, mark, make("span", { text: title }));
  link.addEventListener("click", follow);
  return link;
}

/** Open the page as the Back button would, in this tab and without reloading the app; the open page's link leads to its list.
 * @param {MouseEvent} event */
function follow(event) {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const { href } = /** @type {HTMLAnchorElement} */ (event.currentTarget);
  event.preventDefault();
  if (location.href !== href) history.pushState(null, "", href);
  dispatchEvent(new PopStateEvent("popstate"));
  if (innerWidth <= NARROW) closeMenu();
}

const closeMenu = () =>
  /** @type {HTMLElement | null} */ (document.querySelector("[data-testid=stSidebarCollapseButton] button"))?.click();

/** @param {MenuData} data */
const makeWho = ({ study, person, roles, csrf }) =>
  make(
    "div",
    { class: "who" },
    make("b", { text: study }),
    make("small", { text: `${person} · ${roles}` }),
    make(
      "form",
      { method: "post", action: "/sign-out" },
      make("input", { type: "hidden", name: "csrf", value: csrf }),
      make("button", { text: "Sign out" }),
    ),
  );
