// The verdict desk: both graphs and the text on the left, the items and the labels of one of them on the right.

import { actWords } from "../desk/act_words.js";
import { keyButton, make, pushButton, setText } from "../desk/dom.js";
import { deskOn } from "../desk/frame.js";
import { createCommands } from "./commands.js";
import { createCounterparts } from "./counterparts.js";
import { createGraph } from "./graph.js";
import { createHistory } from "./history.js";
import { KEY_TABLE } from "./key_table.js";
import { createLabels } from "./labels.js";
import { createList } from "./list.js";
import { createText } from "./text.js";
import { answers, equip } from "./shared.js";
import { apartFrom, nextMissing, viewOf } from "./view.js";
import { closedText, placeText, wordOf } from "./words.js";

export default deskOn({
  queue: "verdicts",
  table: KEY_TABLE,
  hearsBare: true,
  root: () => make("div", { class: "pz-frame cv vd" }),
  viewOf,
  closed: closedText,
  create: createDesk,
});

const MOST_AT_ONCE = 40; // nodes whose names are legible with the whole graph in view

/** Switch, on a phone, that shows the graph and the table.
 * @param {import("../desk/types.d.ts").Frame} c */
function switchOf(c) {
  const button = pushButton("Graph and table", () => {
    const isShown = c.root.querySelector(".vd-main")?.toggleAttribute("data-whole") ?? false;
    button.setAttribute("aria-expanded", String(isShown));
    c.draw();
  });
  button.setAttribute("aria-expanded", "false");
  return make("div", { class: "cv-row vd-switch" }, button);
}

/** @param {import("../desk/types.d.ts").Frame} c
 * @returns {import("../desk/types.d.ts").Desk} */
function createDesk(c) {
  const { root } = c;
  const ui = {
    at: 0,
    field: null,
    asks: "",
    reason: "",
    side: "both",
    isAround: c.data.nodes.length > MOST_AT_ONCE,
    definesAll: false,
    isGoing: false,
    last: [],
  };
  const note = make("p", { class: "cv-small" });
  const place = make("p", { class: "cv-small vd-place" });
  const scores = make("p", { class: "vd-scores" });

  equip(c, ui);
  c.history = createHistory(c.drafts);
  const graph = (c.graph = createGraph(c));
  const text = (c.text = createText(c));
  const list = createList(c);
  const labels = (c.labels = createLabels(c));
  const counterparts = (c.counterparts = createCounterparts(c));
  labels.element.append(counterparts.element);
  const primaryWords = make("span", { text: "" });
  const primary = keyButton("Enter", () => c.commands.enter(), { class: "cv-primary" }, primaryWords);
  const flag = pushButton("Cannot be judged…", () => c.commands.flag(), { title: "With a reason (f)" });
  const skip = pushButton("Skip sheet…", () => c.commands.skip(), { title: "With a reason (s)" });
  const { undo, redo, help } = c.buttons;
  undo.title = "Undo (u)";
  redo.title = "Redo (U)";
  const captions = KEY_TABLE.caption.flatMap(([key, word]) => [make("kbd", { text: key }), ` ${word} `]);
  const right = make(
    "div",
    { class: "vd-right" },
    switchOf(c),
    list.element,
    labels.element,
    make("div", { class: "cv-row vd-actions" }, primary, undo, redo, flag, skip, help),
    make("div", { class: "vd-end" }, c.receipt, note, place),
    make("p", { class: "cv-small vd-keys" }, ...captions),
  );
  const left = make("div", { class: "vd-left" }, graph.element, text.element);
  root.prepend(make("div", { class: "vd-desk" }, scores, make("div", { class: "vd-main" }, left, right)));

  function primaryText() {
    if (c.view.sending !== "") return "Submitting…";
    if (c.data.state !== "open") return ui.isGoing ? "Wait…" : c.data.onward;
    const item = c.item();
    if (!item.isDone)
      return c.data.label_first || Object.keys(item.own).length > 0 ? "Compare with judge" : "Next item";
    return c.view.done === c.view.items.length ? "Submit sheet" : "Next item";
  }

  return {
    commands: createCommands(c),
    focus: () => (ui.asks === "" ? labels.focus() : ui.asks === "link" ? counterparts.open() : labels.reason.open()),
    onPress: (press) => answers(c, press),
    draw() {
      for (const part of [graph, text, list, labels, counterparts]) part.draw();
      const shownScores = c.data.scores;
      setText(
        scores,
        shownScores === null
          ? `${c.data.title} · scores are shown when every item is compared`
          : `${c.data.title} · ${c.data.judged} judged by ${c.data.judge} · F1 ${shownScores.judge} → after review ${shownScores.reviewed} (${shownScores.changed})`,
      );
      setText(primaryWords, primaryText());
      const item = c.item();
      const isEarly = c.data.state === "open" && c.data.label_first && !item.isDone && item.missing.length > 0;
      primary.classList.toggle("cv-primary", !isEarly);
      primary.disabled = c.view.sending !== "" || ui.isGoing;
      for (const each of [flag, skip, undo, redo]) each.hidden = c.data.state !== "open";
      flag.disabled = skip.disabled = !c.view.isOpen;
    },
    drawn() {
      setText(note, c.data.note);
      undo.disabled = !c.view.isOpen || c.drafts.kept.done.length === 0;
      redo.disabled = !c.view.isOpen || c.drafts.kept.undone.length === 0;
      setText(place, placeText(c.data, c.view, c.item()));
      const item = c.item();
      Object.assign(root.dataset, { state: c.data.state, item: String(item.number), done: String(c.view.done) });
      root.dataset.field = ui.field ?? "";
    },
    receive: () => void (ui.isGoing = false),
    begin() {
      const startNumber = c.data.start || c.drafts.kept.at;
      const at = c.view.items.findIndex(({ number }) => number === startNumber);
      const open = c.view.items.findIndex(({ isDone }) => !isDone);
      ui.at = at >= 0 ? at : Math.max(0, open);
      const item = c.item();
      ui.field = item.isDone ? null : nextMissing(c.data, item, null);
    },
    /** Announce and focus the judge's labels when they arrive. */
    follow(before) {
      const item = c.item();
      const was = before.items.find(({ number }) => number === item.number);
      if (item.is_compared && was && !was.is_compared) {
        ui.field = null;
        const apart = item.apart.map(
          (key) => `${wordOf(c.data, key, item.own[key])} against ${judgesApart(c.data, item, key)}`,
        );
        c.say(
          apart.length === 0
            ? "You agree with every judge. Enter continues."
            : `Different: ${apart.join(", ")}. Keep k, judge j, both b.`,
        );
      }
    },
    refused: (act, message) => refusedOn(c, act, message),
  };
}

/** Return a refused act to the user; a ruling is proposed again, for the verdict as it is then. */
function refusedOn(c, act, message) {
  if (act.kind === "keep" || act.kind === "flag") c.drafts.keep({ note: act.note });
  c.history.forget();
  if (["keep", "concede", "both"].includes(act.kind)) {
    const again = () => c.commands.ruled(act.kind, ruledOf(act));
    c.notices.add(`${message} (item ${act.number})`, [["Rule again", again]]);
    c.say(message);
    return null;
  }
  return act.number === undefined ? actWords(act.kind) : `item ${act.number}: ${act.label ?? actWords(act.kind)}`;
}

/** A ruling without its version of the verdict. */
const ruledOf = ({ number, reason, note: said }) =>
  reason === undefined ? { number } : { number, reason, note: said };

/** Labels of the judges that differ from the user's in this field, with the judges' names where there are several.
 * @param {any} data @param {any} item @param {string} key */
const judgesApart = (data, item, key) =>
  item.judges
    .filter(/** @param {any} judge */ (judge) => apartFrom(data, item, judge).includes(key))
    .map(
      /** @param {any} judge */ ({ name, labels }) =>
        `${wordOf(data, key, labels[key])}${item.judges.length > 1 ? ` (${name})` : ""}`,
    )
    .join(" and ");
