// The criteria: one row each with its scores; the chosen one says in words what every score means.

import { keyButton, make, pushButton, setText, targetOf } from "../desk/dom.js";

/** {element, strip, draw(), focus()} for the desk `c`. */
export function createCriteria(c) {
  const rows = c.data.criteria.map((criterion, n) => createCriterion(c, criterion, n));
  const element = make("div", { class: "sd-criteria" }, ...rows.map(({ element: row }) => row));
  element.toggleAttribute("data-few", rows.length < 4);
  // On a phone only the chosen criterion fits: the strip shows the others and leads to them.
  const strip = make("div", { class: "sd-strip", role: "group", "aria-label": "Criteria" });
  const leaps = c.data.criteria.map((criterion) => {
    const leap = pushButton("", () => c.commands.choose(criterion.key), { class: "sd-leap" });
    strip.append(leap);
    return { leap, criterion };
  });

  return {
    element,
    strip,
    draw() {
      element.hidden = strip.hidden = c.data.state !== "open" || c.ui.isSkipping;
      element.toggleAttribute("data-words", c.ui.allWords);
      for (const row of rows) row.draw();
      for (const {
        leap,
        criterion: { key, name },
      } of leaps) {
        const value = c.view.scores.get(key);
        setText(leap, value === undefined ? "·" : String(value));
        leap.setAttribute("aria-label", `${name}: ${value ?? "not scored"}`);
        leap.setAttribute("aria-pressed", String(key === c.ui.current));
      }
    },
    focus(key) {
      const row = rows.find((each) => each.key === key);
      row?.focus();
      if (row && c.isWide()) row.element.scrollIntoView({ block: "nearest" });
    },
  };
}

function createCriterion(c, criterion, n) {
  const { key, name, question, words } = criterion;
  const id = `sd-${n}`;
  const title = make("span", { class: "sd-name", id, text: name });
  const prompt = make("p", { class: "sd-question", id: `${id}-asked`, text: question });
  const choices = words.map((text, value) => {
    const marks = { role: "radio", class: "sd-score", tabindex: "-1", title: text, "aria-label": `${value}: ${text}` };
    const word = make("span", { class: "sd-word", text });
    const choice = keyButton(String(value), () => c.commands.setScore(key, value), marks, word);
    choice.addEventListener("focus", () => rove(value));
    return choice;
  });
  const group = make(
    "div",
    { class: "sd-scores", role: "radiogroup", "aria-labelledby": id, "aria-describedby": `${id}-asked` },
    ...choices,
  );
  const element = make("div", { class: "sd-criterion", "data-key": key }, title, group, prompt);
  title.addEventListener("click", () => c.commands.choose(key));
  group.addEventListener("focusin", () => c.noteCurrent(key));
  group.addEventListener("keydown", (event) => {
    if (event.shiftKey || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    c.root.toggleAttribute("data-roving", true); // now the focus is on a score
    const at = choices.indexOf(/** @type {HTMLButtonElement} */ (targetOf(event).closest("button")));
    choices[(at + (event.key === "ArrowRight" ? 1 : -1) + choices.length) % choices.length].focus({
      preventScroll: true,
    });
    event.preventDefault();
  });

  const rove = (stop) =>
    choices.forEach((choice, value) => choice.setAttribute("tabindex", value === stop ? "0" : "-1"));

  function draw() {
    const score = c.view.scores.get(key);
    element.toggleAttribute("data-current", key === c.ui.current);
    element.toggleAttribute("data-given", score !== undefined);
    choices.forEach((choice, value) => {
      choice.setAttribute("aria-checked", String(value === score));
      choice.setAttribute("aria-disabled", String(!c.view.isOpen)); // not disabled: that would lose the focus
    });
    if (!group.contains(c.focused())) rove(score ?? 0);
  }

  return { key, element, draw, focus: () => choices[c.view.scores.get(key) ?? 0].focus({ preventScroll: true }) };
}
