// The cards of the sheet: thumbnail, name, paper, caption, and the two decisions as buttons.

import { make, pushButton, setText } from "../desk/dom.js";
import { fullNameOf } from "./view.js";

const STATES = { waiting: "", located: "Located", "left out": "Left out" };

/** @param {import("./types.d.ts").Sheet} c */
export function createCards(c) {
  const element = make("ul", { class: "cs-grid", "aria-label": "Found figures" });
  /** @type {Map<string, ReturnType<typeof createCard>>} */
  const cards = new Map();

  /** @param {import("./types.d.ts").FoundData} figure */
  function createCard(figure) {
    const { id } = figure;
    const name = fullNameOf(figure);
    const picture = make(
      "button",
      { type: "button", class: "cs-picture", "aria-label": `Look at ${name} on its page` },
      make("img", { src: figure.image_url, alt: "", decoding: "async" }),
    );
    picture.addEventListener("click", () => {
      c.go(id);
      c.look.open();
    });
    const state = make("span", { class: "cs-state" });
    const locate = pushButton("Locate", () => c.commands.press(id, "located"), { "aria-label": `Locate ${name}` });
    const leave = pushButton("Leave out", () => c.commands.press(id, "left out"), {
      "aria-label": `Leave out ${name}`,
    });
    const card = make(
      "li",
      { class: "cs-card", "data-id": id },
      picture,
      make("p", { class: "cs-name" }, make("b", { text: figure.label || "No label" }), ` page ${figure.page} `, state),
      make("p", { class: "cs-paper", text: figure.paper, title: figure.paper }),
      make("p", { class: "cs-caption", text: figure.caption || "No caption" }),
      make("div", { class: "cv-row cs-acts" }, locate, leave),
    );
    const stops = [card, picture, locate, leave];
    return {
      card,
      draw() {
        /** @type {import("./types.d.ts").Decision} */
        const decision = c.view.decisions.get(id);
        card.dataset.decision = decision;
        card.setAttribute("aria-label", `${name}, ${decision}`);
        setText(state, STATES[decision]);
        locate.setAttribute("aria-pressed", String(decision === "located"));
        leave.setAttribute("aria-pressed", String(decision === "left out"));
        card.toggleAttribute("data-current", c.ui.current === id);
        for (const stop of stops) stop.tabIndex = c.ui.current === id ? 0 : -1;
      },
    };
  }

  return {
    element,
    draw() {
      const shown = c.data.figures.map(({ id }) => id);
      if ([...cards.keys()].join() !== shown.join()) {
        const before = new Map(cards); // a card that stays keeps its picture
        cards.clear();
        for (const figure of c.data.figures) cards.set(figure.id, before.get(figure.id) ?? createCard(figure));
        element.replaceChildren(...[...cards.values()].map(({ card }) => card));
      }
      for (const card of cards.values()) card.draw();
    },
    /** @param {string} id */
    focus(id) {
      const card = cards.get(id)?.card;
      card?.focus({ preventScroll: true });
      card?.scrollIntoView({ block: "nearest" });
    },
    places: () => [...cards].map(([id, { card }]) => ({ id, left: card.offsetLeft, top: card.offsetTop })),
  };
}
