// The scoring desk: a triplet, its evidence, and the criteria of a form.

import { actWords } from "../desk/act_words.js";
import { keyButton, make, pushButton, setText } from "../desk/dom.js";
import { deskOn } from "../desk/frame.js";
import { createClaim } from "./claim.js";
import { createCommands } from "./commands.js";
import { createCriteria } from "./criteria.js";
import { createAnswer } from "./critics.js";
import { createDrafts } from "./drafts.js";
import { createEvidence } from "./evidence.js";
import { KEY_TABLE } from "./key_table.js";
import { createOwnWords, createSkip } from "./said.js";
import { firstCurrent, viewOf } from "./view.js";
import { closedText, placeText } from "./words.js";

const SENT = { submit: "Submitting", skip: "Skipping" };

export default deskOn({
  queue: "scoring",
  table: KEY_TABLE,
  hearsBare: true,
  root: () => make("div", { class: "pz-frame cv sd" }),
  viewOf,
  closed: closedText,
  create: createDesk,
});

/** Below the scores: submit or next, skip, undo, and the position.
 * @param {import("../desk/types.d.ts").Frame} c */
function createActions(c) {
  const primary = keyButton("Enter", () => c.commands.enter(), { class: "cv-primary sd-primary" });
  const skip = pushButton("Skip…", () => c.commands.skip(), { title: "Skip with a reason (s)" });
  const { undo, help } = c.buttons;
  undo.title = "Undo your last score (u)";
  const element = make("div", { class: "cv-row sd-actions" }, primary, skip, undo, help);
  const place = make("p", { class: "sd-place" });

  function labelNow(isOpen) {
    if (c.view.sending !== "") return `${SENT[c.view.sending]}${c.ui.isToGoOn ? ", then on" : ""}…`;
    if (isOpen) return "Submit";
    return c.ui.isGoing ? "Wait…" : c.data.onward;
  }

  return {
    element,
    place,
    draw() {
      const isOpen = c.data.state === "open";
      setText(place, isOpen ? placeText(c.view, c.data.criteria, c.ui.current) : "");
      place.dataset.given = String(c.view.given);
      element.hidden = c.ui.isSkipping;
      skip.hidden = undo.hidden = !isOpen;
      skip.disabled = !c.view.isOpen;
      const label = labelNow(isOpen);
      if (primary.firstChild?.textContent !== label)
        primary.replaceChildren(make("span", { text: label }), make("kbd", { text: "Enter" }));
      primary.disabled = isOpen ? !c.view.isOpen || c.view.missing.length > 0 : c.ui.isGoing;
    },
    /** Scores are undone here, not by the store. */
    drawUndo: () => void (undo.disabled = !c.view.isOpen || c.drafts.kept.undo.length === 0),
  };
}

/** @param {import("../desk/types.d.ts").Frame} c
 * @returns {import("../desk/types.d.ts").Desk} */
function createDesk(c) {
  const { root } = c;
  const ui = {
    current: null,
    evidence: 0,
    turn: 0,
    whole: false,
    allWords: false,
    isSkipping: false,
    isGoing: false,
    isToGoOn: false,
  };
  const note = make("p", { class: "cv-small sd-told" });

  Object.assign(c, {
    ui,
    drafts: createDrafts(c.subject),
    /** The criterion that keys score; null: all are scored. */
    noteCurrent(key) {
      if (ui.current === key) return;
      root.removeAttribute("data-roving");
      ui.current = key;
      c.drafts.keep({ current: key });
      c.draw();
    },
    go(key) {
      root.removeAttribute("data-roving");
      c.noteCurrent(key);
      c.draw();
      c.focus();
    },
    /** True if the criteria are in a column of their own, next to the evidence, that may scroll. */
    isWide: () => getComputedStyle(right).display !== "contents",
    /** Ask the page for the next triplet. */
    tellNext() {
      if (ui.isGoing || c.data.state === "open") return;
      ui.isGoing = true;
      c.ask("next");
      c.draw();
    },
  });
  const claim = createClaim();
  const evidence = (c.evidence = createEvidence(c));
  const criteria = createCriteria(c);
  const ownWords = (c.said = createOwnWords(c));
  const skip = (c.skip = createSkip(c));
  const answer = createAnswer(c);

  const actions = createActions(c);
  const card = make(
    "section",
    { class: "sd-card", tabindex: "-1", "aria-label": "Scores" },
    criteria.strip,
    criteria.element,
    skip.element,
    answer.element,
    actions.element,
    make("div", { class: "sd-end" }, c.receipt, note, actions.place),
  );
  const captions = KEY_TABLE.caption.flatMap(([key, word]) => [make("kbd", { text: key }), ` ${word} `]);
  const hint = make("p", { class: "cv-small sd-keys" }, ...captions);
  const right = make("div", { class: "sd-right" }, card, ownWords.element, hint);
  const main = make("div", { class: "sd-main" }, evidence.element, right);
  root.prepend(make("div", { class: "sd-desk" }, claim.element, main));
  evidence.begin();

  return {
    commands: createCommands(c),
    /** Focus the target of keys: the chosen criterion, the outcome, or the card. */
    focus() {
      if (c.data.state !== "open") answer.focus();
      else if (ui.current !== null) criteria.focus(ui.current);
      else card.focus({ preventScroll: true });
    },
    onPress(press) {
      if (!ui.isSkipping || !/^([1-9]|Escape)$/.test(press)) return false;
      if (press === "Escape") c.commands.stopSkipping();
      else c.commands.chooseReason(Number(press) - 1);
      return true;
    },
    draw() {
      claim.draw(c.data.claim);
      for (const part of [evidence, criteria, ownWords, skip, answer, actions]) part.draw();
      hint.hidden = c.data.state !== "open";
    },
    drawn() {
      setText(note, c.data.note);
      actions.drawUndo();
      Object.assign(root.dataset, { state: c.data.state, given: c.view.given, current: ui.current ?? "" });
    },
    receive: () => void (ui.isGoing = false),
    begin() {
      ui.current = firstCurrent(c.data, c.view, c.drafts.kept.current);
      const shown = c.data.claim.evidence.findIndex(({ places }) => places.length > 0);
      ui.evidence = Math.max(0, shown);
    },
    /** After submission or skipping, show and focus the outcome. */
    follow(before) {
      if (before.state === c.data.state || c.data.state === "open") return;
      const hadFocus = document.activeElement === document.body || root.contains(c.focused());
      ui.current = firstCurrent(c.data, c.view, null);
      ui.isSkipping = false;
      c.drafts.clear();
      c.draw();
      if (hadFocus) c.focus();
      const outcome = c.data.answer;
      c.say(outcome === null ? "" : `${outcome.verdict}, ${outcome.total}. ${outcome.reason}`);
      if (ui.isToGoOn) c.tellNext();
      ui.isToGoOn = false;
    },
    refused(act) {
      const { kind } = act;
      if (kind === "submit" || kind === "skip") ui.isToGoOn = false;
      if (kind === "comment") c.drafts.keep({ comment: act.text }); // the written comment is not lost
      if (kind === "skip") c.drafts.keep({ reason: act.reason });
      return kind === "score" ? `${act.criterion.replaceAll("_", " ")}: ${act.value ?? "none"}` : actWords(kind);
    },
    close: evidence.close,
  };
}
