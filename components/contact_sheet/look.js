// Large view of one figure on its page, to check that the rectangle contains all of it.

import { make, pushButton, setText } from "../desk/dom.js";
import { nameOf } from "./view.js";

/** @param {import("./types.d.ts").Sheet} c */
export function createLook(c) {
  const title = make("h2");
  const paper = make("p", { class: "cs-paper" });
  const caption = make("p", { class: "cs-caption" });
  const state = make("span", { class: "cs-state" });
  const picture = make("img", { alt: "" });
  const outline = make("div", { class: "cs-outline" });
  const sheet = make("div", { class: "cs-page", tabindex: "-1" }, picture, outline);
  const element = make(
    "dialog",
    { class: "cs-look", "aria-label": "The figure on its page" },
    make("div", { class: "cs-look-head" }, make("div", {}, title, paper, caption), state),
    sheet,
    make(
      "div",
      { class: "cv-row cs-acts" },
      pushButton("Locate", () => c.commands.locate(), { class: "cv-primary", title: "Locate (Enter)" }),
      pushButton("Leave out", () => c.commands.leaveOut(), { title: "Leave out (x)" }),
      pushButton("Close", () => element.close(), { title: "Close (Space)" }),
    ),
  );
  element.addEventListener("close", () => c.focus());

  function open() {
    if (!element.open) element.showModal();
    c.draw();
    sheet.focus({ preventScroll: true });
  }

  return {
    element,
    open,
    toggle: () => (element.open ? element.close() : open()),
    isOpen: () => element.open,
    draw() {
      const figure = c.data.figures.find(({ id }) => id === c.ui.current);
      if (!element.open || figure === undefined) return;
      const { width, height, box } = figure;
      const decision = c.view.decisions.get(figure.id);
      setText(title, nameOf(figure));
      setText(paper, figure.paper);
      setText(caption, figure.caption);
      setText(state, decision === "located" ? "Located" : decision === "left out" ? "Left out" : "");
      if (picture.getAttribute("src") !== figure.page_url) picture.src = figure.page_url;
      picture.alt = `Page ${figure.page}, with the found figure outlined`;
      sheet.style.setProperty("--ratio", String(width / height));
      const [x0, y0, x1, y1] = box;
      Object.assign(outline.style, {
        left: `${(100 * x0) / width}%`,
        top: `${(100 * y0) / height}%`,
        width: `${(100 * (x1 - x0)) / width}%`,
        height: `${(100 * (y1 - y0)) / height}%`,
      });
    },
  };
}
