// The card: one question, what A and B say, the choices with their keys, and the reasons.

import { createComment } from "../desk/comment.js";
import { changes, keyButton, make, pushButton, setText } from "../desk/dom.js";
import { shownWord } from "../desk/stored_words.js";
import { createChoices } from "./choices.js";
import { createNameCard } from "./name_card.js";
import { placeText, rulingWords } from "./words.js";

const sentenceCase = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function stateText({ type, own, ruling, question }) {
  if (type === "agreed") return "agreed";
  if (type === "read") return "no ruling needed";
  if (type === "own") return own.is_there ? "added" : "removed";
  if (ruling !== null) return `ruled: ${rulingWords({ type, ruling })}`;
  return question?.is_folded ? "same apart from case, spacing or dashes" : "only in B";
}

/** Return {element, draw(), focus(), why, names} for the desk `c`. */
export function createCard(c) {
  const place = make("p", { class: "rd-place" });
  const state = make("p", { class: "rd-state" });
  const sentence = make("h2", { class: "rd-sentence" });
  const names = createNameCard(c);
  const choices = make("div", { class: "rd-choices", role: "group", "aria-label": "Ruling" });
  const { partsFor, partsDone } = createChoices(c);
  const why = createWhy(c);
  const previous = pushButton("‹ Previous", () => c.commands.previous(), { title: "Previous (p)" });
  const next = pushButton("Next ›", () => c.commands.next(), { title: "Next (n)" });
  const takeBack = pushButton("Clear ruling", () => c.commands.takeBack(), { title: "Clear this ruling (Backspace)" });
  const { undo, redo, help } = c.buttons;
  undo.title = "Undo (u)";
  redo.title = "Redo (U)";
  const gap = make("span", { class: "rd-gap" });
  const steps = make("div", { class: "cv-row rd-steps" }, previous, next, gap, takeBack, undo, redo, help);
  const ask = make("div", { class: "rd-ask" }, sentence, names.element, choices);
  const element = make(
    "section",
    { class: "rd-card", tabindex: "-1", "aria-label": "Question" },
    make("div", { class: "rd-head" }, place, state),
    ask,
    why.element,
    steps,
  );
  const isNew = changes();

  function draw() {
    const item = c.current();
    const snapshot = item && { ...item, ruling: item.ruling?.choice ?? null };
    const choice = item?.type === "name" ? c.choiceOf(item) : null;
    const { isUnsettled, left, all } = c.view;
    if (isNew(snapshot, choice, c.isEditable(), isUnsettled, c.ui.isSettling, c.ui.asked, left, all)) {
      const hadFocus = choices.contains(c.focused());
      fill(item);
      if (hadFocus) focus();
    }
    why.draw(item);
    names.draw(item);
    const isOn = c.isEditable();
    takeBack.disabled = !isOn || item === null || item.ruling === null || item.type === "agreed";
    previous.disabled = next.disabled = c.walk().length < 2;
  }

  function fill(item) {
    const { items, left, all } = c.view;
    element.dataset.item = item?.key ?? "";
    if (item === null) {
      setText(place, all === 0 ? "No differences" : `${all - left} of ${all} ruled`);
      setText(state, "");
      setText(sentence, c.ui.isSettling ? "Aligning the two graphs…" : doneText(all, left));
      choices.replaceChildren(...partsDone());
      return;
    }
    setText(place, placeText(item, items));
    setText(state, item.waits ? "" : stateText(item));
    setText(sentence, sentenceOf(item));
    choices.replaceChildren(...partsFor(item));
  }

  function doneText(all, left) {
    if (!c.data.editable) return "This figure has been adjudicated. Choose a row to read its ruling.";
    if (left > 0) return "Choose a row in the list.";
    return all === 0 ? "The two transcriptions do not differ." : "All differences are ruled on.";
  }

  function sentenceOf(item) {
    const named = c.wording;
    if (item.type === "difference" || item.type === "read") return item.found.sentence;
    if (item.type === "name") return "Is this one variable?";
    const { source, sink } = item.type === "own" ? item.own : item.found;
    return `“${named(source)}” → “${named(sink)}”`;
  }

  const focus = () => element.focus({ preventScroll: true });
  return { element, draw, focus, why, names };
}

/** Reasons, comment and the gap in the guidelines. */
function createWhy(c) {
  const reasons = make("div", { class: "rd-reasons", role: "group", "aria-label": "Reasons" });
  let shown = null;
  const comment = createComment(c, "rd-comment", c.data.longest.comment, {
    onInput: (text) => shown !== null && c.drafts.change(shown, { comment: text }),
    onLeave: () => c.commands.settleWhy(shown),
  });
  const gap = make("input", { type: "checkbox" });
  const element = make(
    "div",
    { class: "rd-why" },
    reasons,
    comment.element,
    make(
      "label",
      { class: "rd-gapline" },
      gap,
      make("span", {}, "Guidelines do not cover this ", make("kbd", { text: "g" })),
    ),
  );
  const buttons = c.data.reasons.map((reason, n) =>
    keyButton(String(n + 1), () => c.commands.toggleReason(n), { class: "rd-reason" }, sentenceCase(shownWord(reason))),
  );
  reasons.append(make("span", { class: "rd-lead" }, "Reasons ", make("kbd", { text: "r" })), ...buttons);
  gap.addEventListener("change", () => c.commands.setGap(gap.checked));
  return {
    element,
    comment: comment.element,
    draw(item) {
      element.hidden = item === null;
      shown = item?.key ?? null;
      if (item === null) return;
      const why = c.whyOf(item);
      const isOn = c.isEditable();
      reasons.toggleAttribute("data-picking", c.ui.picksReason);
      buttons.forEach((button, n) => {
        button.setAttribute("aria-pressed", String(why.reasons.includes(c.data.reasons[n])));
        button.disabled = !isOn;
      });
      comment.draw(why.comment, isOn);
      gap.checked = why.is_gap;
      gap.disabled = !isOn;
    },
  };
}
