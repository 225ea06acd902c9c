// Below the list: the fields of the open item, a row of choices each; after the comparison the judge's labels next to
// the user's, and the possible rulings.

import { changes, count, keyButton, make, pushButton, setText } from "../desk/dom.js";
import { createReasoning } from "./reasoning.js";
import { apartFrom } from "./view.js";
import { comparedText, judgeOf, nameOf, wordOf } from "./words.js";

/** {element, draw(), focus()} for the desk `c`. */
export function createLabels(c) {
  const title = make("h3", { class: "vd-title" });
  const rows = [...c.data.fields.map((field, n) => createRow(c, field, n)), createWarnings(c)];
  const fields = make("div", { class: "vd-fields" }, ...rows.map(({ element }) => element));
  const definitions = createDefinitions(c);
  const compared = createCompared(c);
  const reasoning = createReasoning(c);
  const reason = createReason(c);
  const element = make(
    "section",
    { class: "vd-labels", "aria-label": "Labels", tabindex: "-1" },
    title,
    fields,
    definitions.element,
    compared.element,
    reasoning.element,
    reason.element,
  );

  return {
    element,
    reason,
    reasoning,
    draw() {
      setText(title, nameOf(c.item()));
      for (const row of rows) row.draw();
      definitions.draw();
      compared.draw();
      reasoning.draw();
      reason.draw();
    },
    focus() {
      const row = rows.find(({ key }) => key === c.ui.field) ?? null;
      if (row === null) element.focus({ preventScroll: true });
      else row.focus();
    },
  };
}

function createRow(c, field, n) {
  const id = `vd-${n}`;
  const choices = field.choices.map(({ label, word, told }, place) => {
    const choice = keyButton(
      String(place + 1),
      () => c.commands.setLabel(field.key, label),
      { role: "radio", class: "vd-choice", title: told, "aria-label": `${word}: ${told}`, tabindex: "-1" },
      make("span", { text: word }),
    );
    return { label, choice };
  });
  const judged = make("span", { class: "vd-judged cv-small" });
  const group = make(
    "div",
    { class: "vd-choices", role: "radiogroup", "aria-labelledby": id },
    ...choices.map(({ choice }) => choice),
  );
  const element = make(
    "div",
    { class: "vd-field", "data-key": field.key },
    make("span", { class: "vd-name", id, text: field.title }),
    group,
    judged,
  );
  group.addEventListener("focusin", () => c.noteField(field.key));
  const isNew = changes();

  return {
    key: field.key,
    element,
    draw() {
      const item = c.item();
      const own = item.own[field.key];
      element.toggleAttribute("data-current", c.ui.field === field.key && c.view.isOpen && !c.isFixed(item));
      element.toggleAttribute("data-apart", item.apart.includes(field.key));
      choices.forEach(({ label, choice }, place) => {
        choice.setAttribute("aria-checked", String(own === label));
        choice.setAttribute("aria-disabled", String(!c.view.isOpen || c.isFixed(item)));
        choice.tabIndex = own === label || (own === undefined && place === 0) ? 0 : -1;
      });
      judged.hidden = item.judges.length === 0;
      if (!isNew([item.judges, own])) return;
      const judges = item.judges.map(
        /** @param {any} judge */ (judge) => {
          const isApart = apartFrom(c.data, item, judge).includes(field.key);
          const words = `${judge.name}: ${wordOf(c.data, field.key, judge.labels[field.key])}`;
          return make("span", isApart ? { "data-apart": "" } : {}, make("span", { text: words }));
        },
      );
      judged.replaceChildren(...judges);
    },
    focus() {
      const chosen = choices.find(({ label }) => label === c.item().own[field.key]) ?? choices[0];
      chosen.choice.focus({ preventScroll: true });
    },
  };
}

/** Definitions of the labels of the current field, a line each; of all fields after `d`.
 * @param {any} c */
function createDefinitions(c) {
  const list = make("div", { class: "vd-definitions" });
  const all = pushButton("All definitions", () => c.commands.definitions(), { class: "vd-act", title: "d" });
  const element = make("div", { role: "group", "aria-label": "Definitions" }, list, all);
  const isNew = changes();
  /** @param {any} field */
  const lines = ({ title, choices }) => [
    make("p", { class: "vd-defined", text: title }),
    ...choices.map(({ word, told }) => make("p", {}, make("b", { text: word }), `: ${told}`)),
  ];
  return {
    element,
    draw() {
      const { definesAll, field } = c.ui;
      const shown = c.data.fields.filter(({ key }) => definesAll || (key === field && c.view.isOpen));
      setText(all, definesAll ? "Only this field" : "All definitions");
      all.setAttribute("aria-expanded", String(definesAll));
      if (isNew(shown.map(({ key }) => key))) list.replaceChildren(...shown.flatMap(lines));
    },
  };
}

/** Warnings about the user's own labels, which stay as they are. */
function createWarnings(c) {
  const element = make("p", { class: "vd-warnings", role: "status" });
  return {
    key: "",
    element,
    draw() {
      setText(element, c.item().warnings.join(" "));
      element.hidden = c.item().warnings.length === 0;
    },
    focus() {},
  };
}

/** Result of the comparison, and the three answers to it. */
function createCompared(c) {
  const summary = make("p", { class: "vd-said" });
  const keep = keyButton("k", () => c.commands.keep(), { class: "vd-act" }, make("span", { text: "Keep mine" }));
  const concession = make("span", {});
  const concede = keyButton("j", () => c.commands.concede(), { class: "vd-act" }, concession);
  const both = keyButton("b", () => c.commands.both(), { class: "vd-act" }, make("span", { text: "Both defensible" }));
  const back = pushButton("Take back", () => c.commands.takeBack(), { class: "vd-act" });
  const rulings = make("ul", { class: "vd-rulings" });
  const element = make(
    "div",
    { class: "vd-compared" },
    summary,
    make("div", { class: "cv-row" }, keep, concede, both, back),
    rulings,
  );
  const isNew = changes();

  return {
    element,
    draw() {
      const item = c.item();
      const isShown = item.judges.length > 0;
      element.hidden = !isShown && item.rulings.length === 0;
      setText(summary, comparedText(c.data, item));
      setText(concession, `${judgeOf(item)} is right`);
      const isMine = item.rulings.some(({ is_mine }) => is_mine);
      for (const button of [keep, concede, both]) button.hidden = item.against.length === 0;
      back.hidden = !isMine;
      for (const button of [keep, concede, both, back]) button.disabled = !c.view.isOpen || item.ruling !== "";
      if (!isNew(item.rulings, item.ruling)) return;
      const waiting = item.ruling === "" ? [] : [make("li", { text: "saving…" })];
      rulings.replaceChildren(
        ...item.rulings.map(({ words, by, is_mine }) => make("li", { text: `${is_mine ? "You" : by}: ${words}` })),
        ...waiting,
      );
    },
  };
}

/** Reason for keeping own labels, for an item that cannot be judged, or for skipping the sheet. */
function createReason(c) {
  const title = make("h3", {});
  const choices = c.data.reasons.map((text, n) =>
    keyButton(String(n + 1), () => c.commands.chooseReason(n), { class: "vd-reason" }, make("span", { text })),
  );
  const note = make("input", {
    class: "cv-field",
    type: "text",
    placeholder: "In a few words",
    "aria-label": "Reason in a few words",
    maxlength: String(c.data.longest),
  });
  const send = pushButton("Save reason", () => c.commands.sendReason(), { class: "cv-primary" });
  const back = pushButton("Back", () => c.commands.backToItem());
  const list = make("div", { class: "vd-reasons" }, ...choices);
  const element = make(
    "div",
    { class: "vd-why", role: "group", "aria-label": "Reason", tabindex: "-1" },
    title,
    list,
    note,
    make("div", { class: "cv-row" }, send, back),
  );
  note.addEventListener("keydown", (event) => {
    if (event.key === "Enter") c.commands.sendReason();
    else if (event.key === "Escape") c.commands.stopReason();
    else return;
    event.preventDefault(); // the focus moves to a choice, which this same press would activate
  });
  const TITLES = {
    keep: "Why is the judge wrong?",
    flag: "Why can this item not be judged?",
    skip: "Why do you skip this sheet?",
    submit: "",
  };

  return {
    element,
    note,
    open() {
      note.value = c.drafts.kept.note ?? "";
      (c.ui.asks === "submit" ? back : c.ui.asks === "keep" ? element : note).focus({ preventScroll: true });
    },
    /** @param {string} letter */
    type(letter) {
      note.value += letter;
      note.focus();
    },
    draw() {
      element.hidden = TITLES[c.ui.asks] === undefined;
      if (element.hidden) return;
      const isSubmit = c.ui.asks === "submit";
      const left = count(c.view.items.filter(/** @param {any} item */ (item) => item.isUnanswered).length, "item");
      setText(title, isSubmit ? `${left} without an answer to a difference` : TITLES[c.ui.asks]);
      setText(send, isSubmit ? "Submit all the same" : c.ui.asks === "skip" ? "Skip sheet" : "Save reason");
      setText(back, isSubmit ? "Answer first" : "Back");
      send.classList.toggle("cv-primary", !isSubmit);
      back.classList.toggle("cv-primary", isSubmit);
      note.hidden = isSubmit;
      list.hidden = c.ui.asks !== "keep";
    },
  };
}
