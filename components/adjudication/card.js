// The card: one question, what A and B say, the choices with their keys, and why.

import { make, pushButton, setText } from "../desk/dom.js";
import { createNameCard } from "./name_card.js";
import { markedName, outcomesOf, placeText, rulingWords } from "./words.js";

/** {element, draw(), focus(), comment, say(text)} for the desk `c`. */
export function createCard(c) {
  const place = make("p", { class: "rd-place" });
  const state = make("p", { class: "rd-state" });
  const sentence = make("h2", { class: "rd-sentence" });
  const names = createNameCard(c);
  const choices = make("div", { class: "rd-choices", role: "group", "aria-label": "Ruling" });
  const why = createWhy(c);
  const previous = pushButton("‹ Previous", () => c.deeds.previous(), { title: "Previous (p)" });
  const next = pushButton("Next ›", () => c.deeds.next(), { title: "Next (n)" });
  const takeBack = pushButton("Clear ruling", () => c.deeds.takeBack(), { title: "Clear this ruling (Backspace)" });
  const undo = pushButton("Undo", () => c.deeds.undo(), { title: "Undo (u)" });
  const redo = pushButton("Redo", () => c.deeds.redo(), { title: "Redo (U)" });
  const help = pushButton("?", () => c.sheet.open(), {
    class: "cv-square",
    title: "All keys (?)",
    "aria-label": "All keys",
  });
  const steps = make(
    "div",
    { class: "cv-row rd-steps" },
    previous,
    next,
    make("span", { class: "rd-gap" }),
    takeBack,
    undo,
    redo,
    help,
  );
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
    undo.disabled = !c.can("undo");
    redo.disabled = !c.can("redo");
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

  const stateText = (item) =>
    item.type === "agreed"
      ? "stands"
      : item.type === "own"
        ? item.own.is_there
          ? "added"
          : "struck"
        : item.ruling === null
          ? item.question?.is_folded
            ? "same apart from case or spacing"
            : "only in B"
          : `ruled: ${rulingWords(item)}`;

  function doneText(all, left) {
    if (!c.data.editable) return "This figure is adjudicated. Choose a row to read its ruling.";
    if (left > 0) return "Choose a row of the list.";
    return all === 0 ? "The two transcriptions do not differ." : "All differences are ruled on.";
  }

  function doneParts(all, left) {
    if (left > 0 || !c.isEditable() || c.ui.isSettling) return [];
    const finish = make(
      "button",
      { type: "button", class: "rd-choice rd-finish" },
      make("kbd", { text: "Enter" }),
      make("span", { text: "Finish adjudication …" }),
    );
    finish.addEventListener("click", () => c.deeds.finish());
    return [finish];
  }

  function sentenceOf(item) {
    const named = c.wording;
    if (item.type === "difference") return item.found.sentence;
    if (item.type === "name") return "Is this one variable?";
    const { source, sink } = item.type === "own" ? item.own : item.found;
    return `“${named(source)}” → “${named(sink)}”`;
  }

  function choiceButton(n, badge, text, act, { isLegal = true, isChosen = false, why: title = "" } = {}) {
    const button = make(
      "button",
      {
        type: "button",
        class: "rd-choice",
        "aria-pressed": String(isChosen),
        title: isLegal ? "" : title,
        "data-key": String(n),
      },
      make("kbd", { text: String(n) }),
      ...(badge ? [make("span", { class: `rd-who ${badge.toLowerCase()}`, text: badge })] : []),
      make("span", { class: "rd-says" }, ...text),
    );
    button.disabled = !isLegal || !c.isEditable() || (c.view.isUnsettled && c.current()?.type !== "name");
    button.addEventListener("click", act);
    return button;
  }

  const PARTS = {
    difference: (item) =>
      outcomesOf(item.found).map(([choice, words], n) => {
        const isSide = n < 2;
        const text = isSide ? words : `${choice === "both" ? "Both" : "Neither"}${words ? `: ${words}` : ""}`;
        return choiceButton(n + 1, isSide ? choice : "", [text], () => c.deeds.choose(choice), {
          isLegal: item.found.legal.includes(choice),
          isChosen: item.ruling?.choice === choice,
          why: "Only A or B can be right here",
        });
      }),
    name(item) {
      const { question, ruling } = item;
      const { reference, wording } = c.choiceOf(item);
      const isOne = { isLegal: reference !== null, why: "Choose a name from A first (W)" };
      const chosen = (choice) => ({ isChosen: ruling?.choice === choice });
      const other =
        ruling?.choice === "neither" && wording ? `One variable: “${wording}”` : "One variable, other wording …";
      return [
        choiceButton(
          1,
          "A",
          reference === null
            ? ["One variable, A’s wording"]
            : ["One variable: ", ...markedName(reference, question.name)],
          () => c.deeds.choose("A"),
          { ...isOne, ...chosen("A") },
        ),
        choiceButton(2, "B", ["One variable: ", ...markedName(question.name, reference)], () => c.deeds.choose("B"), {
          ...isOne,
          ...chosen("B"),
        }),
        choiceButton(3, "", ["Two variables"], () => c.deeds.choose("both"), chosen("both")),
        choiceButton(4, "", [other], () => c.deeds.choose("neither"), { ...isOne, ...chosen("neither") }),
      ];
    },
    agreed(item) {
      const strike = make(
        "button",
        { type: "button", class: "rd-choice" },
        make("kbd", { text: "x" }),
        make("span", { class: "rd-says", text: "Remove edge" }),
      );
      strike.disabled = !c.isEditable();
      strike.addEventListener("click", () => c.deeds.strike());
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
    const set = (mark) => c.deeds.setArrow(source, sink, { sign, delay, ...mark });
    const button = (text, name, isOn, act) => {
      const made = pushButton(text, act, { "aria-label": name, title: name, "aria-pressed": String(isOn) });
      made.disabled = !c.isEditable();
      return made;
    };
    return make(
      "div",
      { class: "cv-row rd-marks" },
      make("span", { class: "cv-small", text: "Set edge:" }),
      ...[
        ["+", "+", "Plus"],
        ["−", "-", "Minus"],
        ["no sign", "", "No printed sign"],
      ].map(([text, value, name]) => button(text, name, sign === value, () => set({ sign: value }))),
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
  const buttons = c.data.reasons.map((text, n) => {
    const button = pushButton("", () => c.deeds.toggleReason(n), { class: "rd-reason" });
    button.append(make("kbd", { text: String(n + 1) }), text);
    return button;
  });
  reasons.append(make("span", { class: "rd-lead" }, "Reasons ", make("kbd", { text: "r" })), ...buttons);
  let shown = null;
  comment.addEventListener("input", () => shown !== null && c.drafts.change(shown, { comment: comment.value }));
  comment.addEventListener("blur", () => c.deeds.settleWhy(shown));
  comment.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" && !(event.key === "Enter" && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    c.focusCard();
  });
  gap.addEventListener("change", () => c.deeds.setGap(gap.checked));
  return {
    element,
    comment,
    draw(item) {
      const isFor = item !== null && item.type !== "agreed" ? item : item?.type === "agreed" ? item : null;
      element.hidden = isFor === null;
      shown = isFor?.key ?? null;
      if (isFor === null) return;
      const why = c.whyOf(isFor);
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
