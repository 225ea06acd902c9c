// The contact sheet: detected figures side by side, and one key for each decision.

import { actWords } from "../desk/act_words.js";
import { keyButton, make, setText } from "../desk/dom.js";
import { deskOn } from "../desk/frame.js";
import { createCards } from "./cards.js";
import { createCommands } from "./commands.js";
import { KEY_TABLE } from "./key_table.js";
import { createLook } from "./look.js";
import { nameOf, viewOf } from "./view.js";

export default deskOn({
  queue: "contact sheet",
  table: KEY_TABLE,
  hearsBare: true,
  root: () => make("div", { class: "pz-frame cv cs" }),
  viewOf,
  closed: () => "",
  create: (frame) => createDesk(/** @type {any} */ (frame)), // which it makes a sheet
});

/** @param {import("./types.d.ts").Sheet} c
 * @returns {import("../desk/types.d.ts").Desk} */
function createDesk(c) {
  /** @type {typeof c.ui} */
  const ui = { current: "", undo: [], isGoing: false };
  Object.assign(c, {
    ui,
    /** @param {string | undefined} id */
    go(id) {
      ui.current = id ?? ui.current;
      c.draw();
      if (!c.look.isOpen()) c.focus();
    },
  });
  const cards = (c.cards = createCards(c));
  const look = (c.look = createLook(c));
  const onward = make("span");
  const primary = keyButton("n", () => c.commands.next(), { class: "cv-primary" }, onward);
  const { undo, help } = c.buttons;
  undo.title = "Undo your last decision (u)";
  const place = make("p", { class: "cs-place" });
  const captions = KEY_TABLE.caption.flatMap(([key, word]) => [make("kbd", { text: key }), ` ${word} `]);
  c.root.prepend(
    make("div", { class: "cv-row cs-top" }, place, c.receipt, undo, help, primary),
    cards.element,
    make("p", { class: "cv-small cs-keys" }, ...captions),
    look.element,
  );

  function chooseFirst() {
    const first = c.data.figures.find(({ decision }) => decision === "waiting") ?? c.data.figures[0];
    ui.current = first?.id ?? "";
  }

  return {
    commands: createCommands(c),
    focus: () => cards.focus(ui.current),
    draw() {
      cards.draw();
      look.draw();
      setText(place, `${c.view.decided} of ${c.data.figures.length} decided`);
      setText(onward, ui.isGoing ? "Wait…" : c.data.onward);
      primary.disabled = ui.isGoing;
      primary.classList.toggle("cv-primary", c.view.decided === c.data.figures.length);
    },
    drawn() {
      undo.disabled = ui.undo.length === 0;
      Object.assign(c.root.dataset, { decided: c.view.decided, current: ui.current });
    },
    receive: () => void (ui.isGoing = false),
    begin: chooseFirst,
    /** Show another sheet: decisions on the previous one cannot be undone from it. */
    follow() {
      const shown = new Set(c.data.figures.map(({ id }) => id));
      ui.undo = ui.undo.filter(([id]) => shown.has(id));
      if (shown.has(ui.current)) return;
      chooseFirst();
      c.draw();
      c.focus();
    },
    refused(act) {
      const figure = c.data.figures.find(({ id }) => id === act.figure);
      ui.undo = ui.undo.filter(([id]) => id !== act.figure);
      return figure === undefined ? actWords(act.kind) : nameOf(figure);
    },
  };
}
