// The part of the card that compares B's name with A's: the matching name, and how the two differ.

import { changes, keyButton, make, pushButton } from "../desk/dom.js";
import { markedName } from "./words.js";

const CLASS_KEYS = ["t", "m", "j"];
const CLASS_WORDS = ["Typo", "Minor", "Major"];

/** {element, draw(item), openList(), askWording()} for the desk `c`. */
export function createNameCard(c) {
  const nameOfB = make("span", { class: "rd-name" });
  const namesOfA = make("select", { class: "cv-field", "aria-label": "Name from A" });
  const more = keyButton("w", () => c.commands.nextOffer(), { title: "The next likely name (w)" });
  const classes = make("div", { class: "cv-row rd-classes", role: "group", "aria-label": "How the names differ" });
  const wording = make("input", {
    class: "cv-field",
    type: "text",
    "aria-label": "Wording to use",
    placeholder: "Wording to use",
    maxlength: String(c.data.longest.name),
  });
  const take = pushButton("Rule", () => c.commands.ruleWording(), { class: "cv-primary", title: "Enter" });
  const wordingRow = make("div", { class: "cv-row rd-wording", hidden: true }, wording, take);
  const element = make(
    "div",
    { class: "rd-names" },
    make("div", { class: "rd-side" }, make("span", { class: "rd-who b", text: "B" }), nameOfB),
    make("div", { class: "rd-side" }, make("span", { class: "rd-who a", text: "A" }), namesOfA, more),
    classes,
    wordingRow,
  );
  const buttons = c.data.classes.map((title, n) =>
    keyButton(CLASS_KEYS[n], () => c.commands.setClass(n), { title }, CLASS_WORDS[n]),
  );
  classes.append(make("span", { class: "cv-small", text: "Difference" }), ...buttons);
  const isNew = changes();
  let shown = null;

  namesOfA.addEventListener("change", () => {
    c.commands.setReference(namesOfA.value === "" ? null : namesOfA.value.slice(1));
    c.focus();
  });
  wording.addEventListener("input", () => shown !== null && c.drafts.change(shown, { wording: wording.value }));
  wording.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) c.commands.ruleWording();
    else if (event.key === "Escape") {
      wordingRow.hidden = true;
      c.focus();
    } else return;
    event.preventDefault();
  });

  function listNames(question) {
    const others = c.data.nodes
      .filter(({ a }) => a !== null && !question.offers.includes(a))
      .map(({ a }) => a)
      .sort((one, other) => one.localeCompare(other));
    const option = (name) => make("option", { value: `=${name}`, text: name }); // a name may look empty, but never equals ""
    const group = (label, names) => (names.length > 0 ? [make("optgroup", { label }, ...names.map(option))] : []);
    namesOfA.replaceChildren(
      make("option", { value: "", text: "– no name from A –" }),
      ...group("Likely", question.offers),
      ...group("All other names from A", others),
    );
  }

  return {
    element,
    draw(item) {
      element.hidden = item?.type !== "name";
      if (element.hidden) return;
      const { question } = item;
      const { reference, cls, wording: text } = c.choiceOf(item);
      if (shown !== item.key) wordingRow.hidden = true;
      shown = item.key;
      const named = c.data.nodes.map(({ a }) => a);
      if (isNew(question.key, question.offers, named)) listNames(question);
      nameOfB.replaceChildren(...markedName(question.name, reference));
      namesOfA.value = reference === null ? "" : `=${reference}`;
      const isOn = c.isEditable();
      for (const control of [namesOfA, wording, take]) control.disabled = !isOn;
      more.disabled = !isOn || question.offers.length < 2;
      buttons.forEach((button, n) => {
        button.setAttribute("aria-pressed", String(reference !== null && cls === c.data.classes[n]));
        button.disabled = !isOn || reference === null;
      });
      if (wording.value !== text) wording.value = text;
    },
    openList() {
      namesOfA.focus();
      try {
        namesOfA.showPicker();
      } catch {
        return; // only after the user's own press; then the arrow keys choose
      }
    },
    askWording(proposed) {
      wordingRow.hidden = false;
      if (wording.value === "") wording.value = proposed;
      wording.focus();
      wording.select();
    },
    typed: () => wording.value,
  };
}
