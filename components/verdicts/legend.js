// What the lines of the picture mean, and how many there are: of the prediction and of the truth, apart.

import { make, setText } from "../desk/dom.js";
import { STATES, countsOf } from "./picture.js";
import { sampleLine } from "./shapes.js";

/** {element, draw()} for the desk `c`. */
export function createLegend(c) {
  const rows = STATES.map((state) => {
    const many = make("span", {});
    return { state, many, row: make("span", { class: "vd-key" }, sampleLine(state), many) };
  });
  const told = make("span", {});
  const element = make("p", { class: "cv-small vd-legend" }, ...rows.map(({ row }) => row), told);

  return {
    element,
    draw() {
      const { answer, truth } = countsOf(c.data);
      const isShown = answer.shown + truth.shown > 0;
      for (const { state, many, row } of rows) {
        row.hidden = !isShown;
        setText(many, `${state} ${state === "missed" ? truth[state] : answer[state] || truth[state]}`);
      }
      const kind = c.data.section.startsWith("edge") ? "edges" : "nodes";
      const parts = [];
      if (answer.shown > 0) parts.push(`Prediction: ${answer.matched} of ${answer.shown} ${kind} match.`);
      if (truth.shown > 0) parts.push(`Truth: ${truth.matched} of ${truth.shown} ${kind} are captured.`);
      setText(told, isShown ? parts.join(" ") : "Solid: the truth. Thin dots: the prediction. Bold: both.");
    },
  };
}
