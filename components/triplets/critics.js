// After submission: the verdict that follows from the user's scores, and the critics' scores, side by side.

import { changes, make, pushButton } from "../desk/dom.js";
import { apartText, scoreText, VERDICT_WORDS } from "./words.js";

/** {element, draw(), focus()} for the desk `c`. */
export function createAnswer(c) {
  const element = make("section", { class: "sd-answer", tabindex: "-1", "aria-label": "Outcome" });
  const isNew = changes();

  function draw() {
    const { state, answer, reason } = c.data;
    element.hidden = state === "open";
    if (
      element.hidden ||
      !isNew(state, answer, reason, c.data.comment, c.data.own_verdict, c.data.scores, c.ui.current)
    )
      return;
    const holds = element.contains(c.focused());
    element.replaceChildren(...(state === "submitted" ? submittedParts(answer) : endedParts(state, reason)));
    if (holds) element.focus({ preventScroll: true });
  }

  const endedParts = (state, reason) =>
    state === "skipped"
      ? [make("h3", { text: "Skipped" }), make("p", { text: reason })]
      : [
          make("h3", { text: "Claim expired" }),
          make("p", {
            text: "This claim expired without a score. Your scores are kept. Resume it from your list while a place is free.",
          }),
        ];

  function submittedParts(answer) {
    if (answer === null) return [make("h3", { text: "Submitted" })];
    const total = make("span", { class: "sd-total", text: answer.total });
    const head = make("h3", { class: "sd-verdict" }, make("span", { text: answer.verdict }), total);
    const notes = [
      c.data.own_verdict === null ? "" : `Your own decision: ${VERDICT_WORDS.get(c.data.own_verdict)}.`,
      c.data.comment && `Your comment: ${c.data.comment}`,
    ].filter(Boolean);
    const parts = [head, ...[answer.reason, ...notes].map((text) => make("p", { class: "cv-small", text }))];
    const { critics } = answer;
    if (critics.some((critic) => critic.is_synthetic))
      parts.push(
        make("p", {
          class: "sd-synthetic",
          text: "Synthetic: these critics' scores and reasons were written for a demonstration, not by a model.",
        }),
      );
    if (answer.critics_note) parts.push(make("p", { class: "cv-small", text: answer.critics_note }));
    return critics.length > 0 ? [...parts, tableOf(critics), reasonsOf(critics)] : [...parts, tableOf([])];
  }

  function tableOf(critics) {
    const head = make(
      "tr",
      {},
      make("th", { scope: "col", text: "Criterion" }),
      make("th", { scope: "col", text: "You" }),
      ...critics.map(({ name }) => make("th", { scope: "col", text: name })),
    );
    const rows = c.data.criteria.map((criterion) => {
      const { key, name } = criterion;
      const own = c.data.scores[key];
      const leap =
        critics.length > 0
          ? pushButton(name, () => c.commands.choose(key), { "aria-pressed": String(key === c.ui.current) })
          : make("span", { text: name });
      const cells = critics.map(({ scores }) => {
        const apart = apartText(own, scores[key]);
        return make(
          "td",
          { class: apart ? "apart" : "", title: apart ? `${apart} than you` : "" },
          make("b", { text: scores[key] === undefined ? "–" : String(scores[key]) }),
          ...(apart
            ? [
                make("span", {
                  text: scores[key] > own ? " ▲" : " ▼",
                  role: "img",
                  "aria-label": `, ${apart} than you`,
                }),
              ]
            : []),
        );
      });
      const row = make(
        "tr",
        {},
        make("th", { scope: "row" }, leap),
        make("td", { title: scoreText(criterion, own) }, make("b", { text: own === undefined ? "–" : String(own) })),
        ...cells,
      );
      row.toggleAttribute("data-current", key === c.ui.current && critics.length > 0);
      return row;
    });
    return make("div", { class: "sd-table" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)));
  }

  function reasonsOf(critics) {
    const chosen = c.data.criteria.find(({ key }) => key === c.ui.current) ?? c.data.criteria[0];
    const own = c.data.scores[chosen.key];
    const lines = critics.map(({ name, scores, reasons }) => [
      name,
      scores[chosen.key],
      reasons[chosen.key] || "no reason given",
    ]);
    return make(
      "div",
      { class: "sd-reasons" },
      make("h4", { text: `${chosen.name}: reasons` }),
      make(
        "dl",
        {},
        ...[["You", own, own === undefined ? "" : chosen.words[own]], ...lines].flatMap(([name, score, text]) => [
          make("dt", {}, make("b", { text: score === undefined ? "–" : String(score) }), ` ${name}`),
          make("dd", { text }),
        ]),
      ),
    );
  }

  return { element, draw, focus: () => element.focus({ preventScroll: true }) };
}
