// The choices of a card, each with its key: rulings on an item, or changes of a ruled edge.

import { keyButton, make, pushButton } from "../desk/dom.js";
import { markedName, outcomesOf } from "./words.js";

const SIGNS = [
  ["+", "+", "Plus"],
  ["−", "-", "Minus"],
  ["no sign", "", "No printed sign"],
];

/** Return {partsFor(item), partsDone()}: elements of an item, and for when none is left, of the desk `c`. */
export function createChoices(c) {
  function choiceButton(n, badge, text, act, { isLegal = true, isChosen = false, why: title = "" } = {}) {
    const marks = { class: "rd-choice", "aria-pressed": String(isChosen), title: isLegal ? "" : title, "data-key": n };
    const who = badge
      ? [make("span", { class: `rd-who ${badge === "Program" ? "read" : badge.toLowerCase()}`, text: badge })]
      : [];
    const button = keyButton(String(n), act, marks, ...who, make("span", { class: "rd-says" }, ...text));
    button.disabled = !isLegal || !c.isEditable() || (c.view.isUnsettled && c.current()?.type !== "name");
    return button;
  }

  /** Row of what the program read about an item; none if it read nothing. Before the ruling it is shown only on
   * request, so that it does not decide for the adjudicator.
   * @param {any} item @param {string} says */
  function thirdRow(item, says) {
    if (says === "") return [];
    if (item.waits && c.ui.asked !== item.key) {
      const text = make("span", { class: "rd-says", text: "Show what the program read" });
      return [keyButton("s", () => c.commands.showRead(), { class: "rd-choice rd-show" }, text)];
    }
    const who = make("span", { class: "rd-who read", text: "Program" });
    const words = make("span", { class: "rd-says" }, `${says} (read from the ${c.data.read_origin})`);
    return [make("p", { class: "rd-read" }, who, words)];
  }

  const PARTS = {
    difference: (item) => [
      ...outcomesOf(item.found).map(([choice, words], n) => {
        const isSide = n < 2;
        const text = isSide ? words : `${choice === "both" ? "Both" : "Neither"}${words ? `: ${words}` : ""}`;
        return choiceButton(n + 1, isSide ? choice : "", [text], () => c.commands.choose(choice), {
          isLegal: item.found.legal.includes(choice),
          isChosen: item.ruling?.choice === choice,
          why: "Only A or B can be right here",
        });
      }),
      ...thirdRow(item, item.found.read_says),
    ],
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
          ? ["One variable, A's wording"]
          : ["One variable: ", ...markedName(reference, question.name)];
      const other =
        ruling?.choice === "neither" && wording ? `One variable: “${wording}”` : "One variable, other wording…";
      return [
        choice(1, "A", "A", oursText, isOne),
        choice(2, "B", "B", ["One variable: ", ...markedName(question.name, reference)], isOne),
        choice(3, "", "both", ["Two variables"]),
        choice(4, "", "neither", [other], isOne),
        ...thirdRow(item, question.read_says),
      ];
    },
    read({ found }) {
      const row = (badge, says) =>
        make(
          "p",
          { class: "rd-read" },
          make("span", { class: `rd-who ${badge === "Program" ? "read" : badge.toLowerCase()}`, text: badge }),
          make("span", { class: "rd-says" }, says),
        );
      const doubts = found.doubts ? [make("p", { class: "cv-small", text: `In doubt: ${found.doubts}.` })] : [];
      return [
        row("A", found.a_says),
        row("B", found.b_says),
        row("Program", `${found.read_says} (read from the ${found.origin})`),
        ...doubts,
        choiceButton(1, "", ["Add edge as the program read it"], () => c.commands.setAsRead()),
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

  /** Row to set another sign or delay of an existing edge, as the adjudicator's own. */
  function markRow(source, sink, { sign, delay }) {
    const set = (mark) => c.commands.setArrow(source, sink, { sign, delay, ...mark });
    const button = (text, name, isOn, act) => {
      const element = pushButton(text, act, { "aria-label": name, title: name, "aria-pressed": String(isOn) });
      element.disabled = !c.isEditable();
      return element;
    };
    return make(
      "div",
      { class: "cv-row rd-marks" },
      make("span", { class: "cv-small", text: "Set edge:" }),
      ...SIGNS.map(([text, value, name]) => button(text, name, sign === value, () => set({ sign: value }))),
      button("delay", "Delay mark", delay, () => set({ delay: !delay })),
    );
  }

  function partsDone() {
    if (c.view.left > 0 || !c.isEditable() || c.ui.isSettling) return [];
    const text = make("span", { text: "Finish adjudication…" });
    return [keyButton("Enter", () => c.commands.finish(), { class: "rd-choice rd-finish" }, text)];
  }

  return { partsFor: (item) => PARTS[item.type](item), partsDone };
}
