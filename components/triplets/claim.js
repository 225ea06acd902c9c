// The triplet to score: treatment, sign and outcome in one line, and their paper.

import { changes, make } from "../desk/dom.js";

/** Return {element, draw(claim)}; the claim of a desk changes only in what is known of its paper. */
export function createClaim() {
  const line = make("h2", { class: "sd-line" });
  const paper = make("p", { class: "sd-paper" });
  const element = make("header", { class: "sd-claim" }, line, paper);
  const isNew = changes();

  function phrase(label, text) {
    return make("span", { class: "sd-phrase" }, make("small", { text: `${label} ` }), make("b", { text }));
  }

  function draw(claim) {
    if (!isNew(claim.treatment, claim.outcome, claim.sign, claim.paper)) return;
    const sign = make(
      "span",
      { class: "sd-sign" },
      make("b", { text: `(${claim.sign})` }),
      ...(claim.verb === "" || claim.verb.startsWith("has") ? [] : [make("small", { text: ` ${claim.verb}` })]),
    );
    const arrow = make(
      "span",
      { class: "sd-arrow" },
      make("i", { "aria-hidden": "true" }),
      sign,
      make("i", { class: "sd-head", "aria-hidden": "true" }),
      " ",
    );
    line.replaceChildren(phrase(claim.phrases[0], claim.treatment), arrow, phrase(claim.phrases[1], claim.outcome));
    const { title, about, url, printed } = claim.paper;
    const named = title || printed || "Paper without a title";
    const shown = url
      ? make("a", {
          href: url,
          target: "_blank",
          rel: "noopener noreferrer",
          text: named,
          title: "Open the paper in a new tab (o)",
        })
      : make("b", { text: named });
    paper.replaceChildren(
      shown,
      make("span", {
        text: [about, url ? "" : title && printed]
          .filter(Boolean)
          .map((part) => ` · ${part}`)
          .join(""),
      }),
    );
  }

  return { element, draw };
}
