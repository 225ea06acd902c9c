// The text desk: its stages on top, the chosen one with its changes in place, and the list of findings and changes.

import { actWords } from "../desk/act_words.js";
import { make, pushButton, setText } from "../desk/dom.js";
import { deskOn } from "../desk/frame.js";
import { draftsOf } from "../desk/shelf.js";
import { createCommands } from "./commands.js";
import { KEY_TABLE } from "./key_table.js";
import { createList } from "./list.js";
import { createMark } from "./mark.js";
import { createSearch } from "./search.js";
import { createStages } from "./stages.js";
import { createText } from "./text.js";
import { viewOf } from "./view.js";
import { closedText } from "./words.js";

export default deskOn({
  queue: "text",
  table: KEY_TABLE,
  hearsBare: true,
  root: () => make("div", { class: "pz-frame cv tx" }),
  viewOf,
  closed: closedText,
  create: createDesk,
});

const tidy = (/** @type {Record<string, any>} */ { stage }) => ({ stage: typeof stage === "string" ? stage : null });

/** @param {import("../desk/types.d.ts").Frame} c
 * @returns {import("../desk/types.d.ts").Desk} */
function createDesk(c) {
  const { root } = c;
  /** @type {{stage: number, change: number | null, finding: number | null, kind: string, only: boolean}} */
  const ui = { stage: 0, change: null, finding: null, kind: "", only: false };

  Object.assign(c, {
    ui,
    drafts: draftsOf("text", c.subject, tidy),
    stage: () => c.data.stages[ui.stage],
    isLast: () => ui.stage === c.data.stages.length - 1,
    /** Findings of the last stage's text. */
    findings: () => (c.isLast() ? c.data.findings : []),
    listed: () => c.stage().changes.filter(({ kind }) => ui.kind === "" || kind === ui.kind),
    changeOf: (number) => c.stage().changes.find((each) => each.number === number),
  });
  const text = (c.text = createText(c));
  const list = (c.list = createList(c));
  const mark = (c.mark = createMark(c));
  const search = (c.search = createSearch(c));
  const stages = createStages(c);

  const { undo, redo, help } = c.buttons;
  const rule = pushButton("Reject", () => c.commands.rule(), { title: "Reject or restore the chosen change (x)" });
  const replace = pushButton("Replace…", () => c.commands.mark(), { title: "Replace the marked stretch (m)" });
  const only = pushButton("Only changes", () => c.commands.only(), { title: "Only paragraphs with changes (z)" });
  const captions = KEY_TABLE.caption.flatMap(([key, word]) => [make("kbd", { text: key }), ` ${word} `]);
  const note = make("p", { class: "cv-small tx-note" });
  const right = make(
    "div",
    { class: "tx-right" },
    make("div", { class: "cv-row tx-actions" }, rule, replace, only, undo, redo, help),
    mark.element,
    list.element,
    make("div", { class: "tx-end" }, c.receipt, note),
    make("p", { class: "cv-small tx-keys" }, ...captions),
  );
  const left = make("div", { class: "tx-left" }, search.element, text.element);
  root.prepend(make("div", { class: "tx-desk" }, stages.element, make("div", { class: "tx-main" }, left, right)));
  text.element.addEventListener("click", (event) => {
    const pressed = text.pressed(event);
    if (pressed === null || (c.host.getSelection?.() ?? getSelection())?.isCollapsed === false) return;
    if (pressed.finding !== undefined) c.commands.chooseFinding(pressed.finding);
    else c.commands.chooseChange(pressed.change);
  });

  return {
    commands: createCommands(c),
    focus: () => text.element.focus({ preventScroll: true }),
    draw() {
      text.draw();
      for (const part of [stages, list]) part.draw();
      const change = c.changeOf(ui.change);
      rule.disabled = change === undefined || !c.isEditable();
      const isRejected = change !== undefined && c.view.isRejected(c.stage().id, change.number);
      setText(rule, isRejected ? "Restore" : "Reject");
      replace.disabled = !c.isLast() || !c.isEditable();
      only.setAttribute("aria-pressed", String(ui.only));
    },
    drawn() {
      setText(note, c.data.note);
      Object.assign(root.dataset, { stage: c.stage().label, change: ui.change ?? "", ready: c.view.isReady });
    },
    begin() {
      const place = c.data.stages.findIndex(({ id }) => id === c.drafts.kept.stage);
      ui.stage = place >= 0 ? place : c.data.stages.length - 1;
      if (c.isLast() && c.data.findings.length > 0) ui.finding = 0;
    },
    receive(next) {
      ui.stage = Math.min(ui.stage, next.stages.length - 1);
    },
    /** Open a new round; drop selections that no longer exist. */
    follow(before) {
      if (c.data.stages.length > before.stages.length) {
        Object.assign(ui, { stage: c.data.stages.length - 1, change: null, finding: null, kind: "" });
        c.drafts.keep({ stage: c.stage().id });
      }
      if (c.changeOf(ui.change) === undefined) ui.change = null;
      if (ui.finding !== null && ui.finding >= c.data.findings.length) ui.finding = null;
      if (!before.is_ready && c.data.is_ready) c.say("The text is ready.");
    },
    settled: () => text.reveal(),
    refused(act) {
      if (act.kind === "replace_stretch") mark.giveBack(act);
      return actWords(act.kind);
    },
  };
}
