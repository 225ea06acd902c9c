// The adjudicator's desk: the figure with both transcriptions, one question at a time, and the list of all.

import { actWords } from "../desk/act_words.js";
import { make, setText } from "../desk/dom.js";
import { arrowText } from "../desk/edges.js";
import { deskOn } from "../desk/frame.js";
import { createViews } from "../graph/views.js";
import { createCard } from "./card.js";
import { createCommands } from "./commands.js";
import { createDrafts, nameChoice, whyOfItem } from "./drafts.js";
import { createDeskFigure } from "./figure.js";
import { KEY_TABLE } from "./key_table.js";
import { createList } from "./list.js";
import { createOwn } from "./own.js";
import { changedKey, nextWaiting, viewOf, whyOf } from "./view.js";
import { itemText, placeText } from "./words.js";

export default deskOn({
  queue: "ruling",
  table: KEY_TABLE,
  hearsBare: true,
  root: () => make("div", { class: "pz-frame cv rd" }),
  viewOf,
  closed: ({ editable }) => (editable ? "" : "This adjudication is closed to changes."),
  create: createDesk,
});

/** @param {import("../desk/types.d.ts").Frame} c
 * @returns {import("../desk/types.d.ts").Desk} */
function createDesk(c) {
  /** The current item, the one whose reading was asked for, the filter of the list, and what waits for an answer.
   * @type {{current: string | null, asked: string | null, filter: string, whole: boolean, picksReason: boolean, isSettling: boolean, wantsFinish: boolean, wasBefore: any}} */
  const ui = {
    current: null,
    asked: null,
    filter: "waiting",
    whole: false,
    picksReason: false,
    isSettling: false,
    wantsFinish: false,
    wasBefore: null,
  };
  const note = make("p", { class: "cv-small rd-note" });
  let wordings = new Map();

  Object.assign(c, {
    ui,
    drafts: createDrafts(c.subject),
    current: () => (ui.current === null ? null : (c.view.byKey.get(ui.current) ?? null)),
    choiceOf: (item) => nameChoice(item, c.drafts.of(item.key), c.data.classes),
    whyOf: (item) => whyOfItem(item, c.drafts.of(item.key)),
    wording: (name) => wordings.get(name) ?? name,
    /** The items of next and previous: those that are listed, or all if the current one is not. */
    walk() {
      const listed = c.list.shown();
      const isListed = listed.some(({ key }) => key === ui.current);
      return isListed || (ui.current === null && listed.length > 0)
        ? listed
        : c.view.items.filter(({ isQuiet }) => !isQuiet);
    },
    go(key) {
      if (ui.current !== null && ui.current !== key) c.commands.settleWhy(ui.current);
      Object.assign(ui, { current: key, picksReason: false, isSettling: false });
      c.drafts.setPlace(key);
      c.draw();
      const item = c.current();
      if (item !== null)
        c.say(`${placeText(item, c.view.items)}: ${item.found?.sentence ?? itemText(item, c.wording)}`);
    },
    /** After a ruling, go to the next waiting item, once it is known what waits. */
    goOn(key) {
      const next = nextWaiting(c.view.items, key);
      const isKnown = !c.view.isUnsettled || next?.type === "name";
      if (isKnown) return void c.go(next?.key ?? null);
      c.go(null);
      ui.isSettling = true;
      c.draw();
    },
    /** Ask the page to finish, once all rulings are stored. */
    tellFinish() {
      if (!ui.wantsFinish || c.pending().length > 0) return;
      ui.wantsFinish = false;
      c.ask("finish");
    },
  });
  const figure = (c.figure = createDeskFigure(c, c.data));
  const card = (c.card = createCard(c));
  const list = (c.list = createList(c));
  const own = (c.own = createOwn(c));
  const right = make("div", { class: "rd-right" }, card.element, list.element, own.element);
  const left = make("div", { class: "rd-seen" }, figure.element);
  const views = createViews(c, { figure: figure.element, views: ["figure", "graph"] });
  left.prepend(views.row);
  left.append(make("div", { class: "rd-told" }, c.receipt, note));
  c.root.prepend(make("div", { class: "rd-main" }, left, right));
  figure.begin();

  return {
    commands: createCommands(c),
    focus: card.focus,
    onPress(press) {
      if (!ui.picksReason || !/^([1-9]|Escape)$/.test(press)) return false;
      if (press === "Escape") c.commands.reason();
      else c.commands.toggleReason(Number(press) - 1);
      return true;
    },
    draw() {
      for (const part of [list, card, figure, own, views]) part.draw();
    },
    drawn() {
      setText(note, c.data.note);
      c.root.dataset.left = String(c.view.left);
    },
    receive(next) {
      wordings = new Map(next.nodes.map(({ name, wording }) => [name, wording]));
      figure.receive(next);
      if (!next.editable && ui.filter === "waiting") ui.filter = "all"; // nothing waits if no ruling is possible
    },
    begin() {
      const start = c.view.byKey.get(c.drafts.place) ?? nextWaiting(c.view.items, null);
      if (c.view.left === 0) ui.filter = "all";
      ui.current = start?.key ?? null;
    },
    /** Choose the item after the page's answer: an undone ruling, the next question, or the same item. */
    follow() {
      if (c.view.isUnsettled) return;
      const changed = ui.wasBefore === null ? null : changedKey(ui.wasBefore, c.data);
      ui.wasBefore = null;
      if (changed !== null && c.view.byKey.has(changed))
        return void Object.assign(ui, { current: changed, isSettling: false });
      const isGone = ui.current !== null && c.current() === null;
      if (!ui.isSettling && !isGone) return;
      ui.isSettling = false;
      ui.current = nextWaiting(c.view.items, null)?.key ?? null;
      c.drafts.setPlace(ui.current);
    },
    refused(act) {
      const key = act.key ?? c.data.names.find(({ name }) => name === act.name)?.key ?? null;
      if (key !== null && act.reasons !== undefined && c.view.byKey.has(key)) {
        c.drafts.change(key, whyOf(act)); // the written comment is not lost with the ruling
        ui.current = key;
      }
      return [actWords(act.kind), act.name ?? (act.source ? arrowText(act) : "")].filter(Boolean).join(" ");
    },
    settled: c.tellFinish,
    close: figure.close,
  };
}
