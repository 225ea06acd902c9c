// The card: one question, what A and B say, the choices with their keys, and why.

import { keyButton, make, pushButton, setText } from "../desk/dom.js";
import { createNameCard } from "./name_card.js";
import { markedName, outcomesOf, placeText, rulingWords } from "./words.js";

const SIGNS = [
  ["+", "+", "Plus"],
  ["−", "-", "Minus"],
  ["no sign", "", "No printed sign"],
];

/** {element, draw(), focus(), why, names} for the desk `c`. */
export function createCard(c) {
  const place = make("p", { class: "rd-place" });
  const state = make("p", { class: "rd-state" });
  const sentence = make("h2", { class: "rd-sentence" });
  const names = createNameCard(c);
  const choices = make("div", { class: "rd-choices", role: "group", "aria-label": "Ruling" });
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
  let drawn = "";

  function draw() {
    const item = c.current();
    const identity = JSON.stringify([
      item && { ...item, ruling: item.ruling?.choice ?? null },
      item?.type === "name" ? c.choiceOf(item) : null,
      item?.own,
      c.isEditable(),
      c.view.isUnsettled,
      c.ui.isSettling,
      c.view.left,
      c.view.all,
    ]);
    if (identity !== drawn) {
      drawn = identity;
      const held = choices.contains(c.focused());
      fill(item);
      if (held) focus();
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
      choices.replaceChildren(...doneParts(all, left));
      return;
    }
    setText(place, placeText(item, items));
    setText(state, item.waits ? "" : stateText(item));
    setText(sentence, sentenceOf(item));
    choices.replaceChildren(...PARTS[item.type](item));
  }

  function stateText({ type, own, ruling, question }) {
    if (type === "agreed") return "stands";
    if (type === "own") return own.is_there ? "added" : "struck";
    if (ruling !== null) return `ruled: ${rulingWords({ type, ruling })}`;
    return question?.is_folded ? "same apart from case or spacing" : "only in B";
  }

  function doneText(all, left) {
    if (!c.data.editable) return "This figure is adjudicated. Choose a row to read its ruling.";
    if (left > 0) return "Choose a row of the list.";
    return all === 0 ? "The two transcriptions do not differ." : "All differences are ruled on.";
  }

  function doneParts(all, left) {
    if (left > 0 || !c.isEditable() || c.ui.isSettling) return [];
    const text = make("span", { text: "Finish adjudication …" });
    return [keyButton("Enter", () => c.commands.finish(), { class: "rd-choice rd-finish" }, text)];
  }

  function sentenceOf(item) {
    const named = c.wording;
    if (item.type === "difference") return item.found.sentence;
    if (item.type === "name") return "Is this one variable?";
    const { source, sink } = item.type === "own" ? item.own : item.found;
    return `“${named(source)}” → “${named(sink)}”`;
  }

  function choiceButton(n, badge, text, act, { isLegal = true, isChosen = false, why: title = "" } = {}) {
    const marks = { class: "rd-choice", "aria-pressed": String(isChosen), title: isLegal ? "" : title, "data-key": n };
    const who = badge ? [make("span", { class: `rd-who ${badge.toLowerCase()}`, text: badge })] : [];
    const button = keyButton(String(n), act, marks, ...who, make("span", { class: "rd-says" }, ...text));
    button.disabled = !isLegal || !c.isEditable() || (c.view.isUnsettled && c.current()?.type !== "name");
    return button;
  }

  const PARTS = {
    difference: (item) =>
      outcomesOf(item.found).map(([choice, words], n) => {
        const isSide = n < 2;
        const text = isSide ? words : `${choice === "both" ? "Both" : "Neither"}${words ? `: ${words}` : ""}`;
        return choiceButton(n + 1, isSide ? choice : "", [text], () => c.commands.choose(choice), {
          isLegal: item.found.legal.includes(choice),
          isChosen: item.ruling?.choice === choice,
          why: "Only A or B can be right here",
        });
      }),
    name(item) {
      const { question, ruling } = item;
      const { reference, wording } = c.choiceOf(item);
      const isOne = { isLegal: reference !== null, why: "Choose a name from A first (W)" };
      const choice = (n, badge, chosen, text, legal = {}) =>
        choiceButton(n, badge, text, () => c.commands.choose(chosen), {
          ...legal,
          isChosen: ruling?.choice === chosen,
        });
      const oursText =
        reference === null
          ? ["One variable, A’s wording"]
          : ["One variable: ", ...markedName(reference, question.name)];
      const other =
        ruling?.choice === "neither" && wording ? `One variable: “${wording}”` : "One variable, other wording …";
      return [
        choice(1, "A", "A", oursText, isOne),
        choice(2, "B", "B", ["One variable: ", ...markedName(question.name, reference)], isOne),
        choice(3, "", "both", ["Two variables"]),
        choice(4, "", "neither", [other], isOne),
      ];
    },
    agreed(item) {
      const says = make("span", { class: "rd-says", text: "Remove edge" });
      const strike = keyButton("x", () => c.commands.strike(), { class: "rd-choice" }, says);
      strike.disabled = !c.isEditable();
      const { source, sink, a } = item.found;
      return [strike, markRow(source, sink, a[0])];
    },
    own(item) {
      const { source, sink, is_there: isThere, sign, delay } = item.own;
      return isThere
        ? [markRow(source, sink, { sign, delay })]
        : [make("p", { class: "cv-small", text: "Both drew it; you removed it. Backspace restores it." })];
    },
  };

  /** Another sign or delay for an arrow that stands, as one's own. */
  function markRow(source, sink, { sign, delay }) {
    const set = (mark) => c.commands.setArrow(source, sink, { sign, delay, ...mark });
    const button = (text, name, isOn, act) => {
      const made = pushButton(text, act, { "aria-label": name, title: name, "aria-pressed": String(isOn) });
      made.disabled = !c.isEditable();
      return made;
    };
    return make(
      "div",
      { class: "cv-row rd-marks" },
      make("span", { class: "cv-small", text: "Set edge:" }),
      ...SIGNS.map(([text, value, name]) => button(text, name, sign === value, () => set({ sign: value }))),
      button("delay", "Delay mark", delay, () => set({ delay: !delay })),
    );
  }

  const focus = () => element.focus({ preventScroll: true });
  return { element, draw, focus, why, names };
}

/** Reasons, comment and the gap in the guidelines. */
function createWhy(c) {
  const reasons = make("div", { class: "rd-reasons", role: "group", "aria-label": "Reasons" });
  const comment = make("textarea", {
    class: "cv-field rd-comment",
    rows: "2",
    placeholder: "Comment (c)",
    "aria-label": "Comment",
    maxlength: String(c.data.longest.comment),
  });
  const gap = make("input", { type: "checkbox" });
  const element = make(
    "div",
    { class: "rd-why" },
    reasons,
    comment,
    make("label", { class: "rd-gapline" }, gap, make("span", {}, "Guideline gap ", make("kbd", { text: "g" }))),
  );
  const buttons = c.data.reasons.map((text, n) =>
    keyButton(String(n + 1), () => c.commands.toggleReason(n), { class: "rd-reason" }, text),
  );
  reasons.append(make("span", { class: "rd-lead" }, "Reasons ", make("kbd", { text: "r" })), ...buttons);
  let shown = null;
  comment.addEventListener("input", () => shown !== null && c.drafts.change(shown, { comment: comment.value }));
  comment.addEventListener("blur", () => c.commands.settleWhy(shown));
  comment.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" && !(event.key === "Enter" && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    c.focus();
  });
  gap.addEventListener("change", () => c.commands.setGap(gap.checked));
  return {
    element,
    comment,
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
      if (comment.value !== why.comment) comment.value = why.comment;
      comment.readOnly = !isOn;
      gap.checked = why.is_gap;
      gap.disabled = !isOn;
    },
  };
}
