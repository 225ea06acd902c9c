// The user's own decision, comment, and reason for skipping, in addition to the scores.

import { createComment } from "../desk/comment.js";
import { keyButton, make, pushButton } from "../desk/dom.js";

/** {element, comment, draw()} for the desk `c`. */
export function createOwnWords(c) {
  const verdicts = [true, false].map((value) => {
    const text = value ? "Accept" : "Reject";
    const button = pushButton(text, () => c.commands.setVerdict(c.view.verdict === value ? null : value));
    return { button, value };
  });
  const verdict = make(
    "div",
    { class: "cv-row", role: "group", "aria-label": "Your own decision (optional)" },
    make("span", { class: "cv-small" }, "Your own decision (optional) ", make("kbd", { text: "v" })),
    ...verdicts.map(({ button }) => button),
  );
  const comment = createComment(c, "sd-comment", c.data.longest, {
    onInput: (text) => c.drafts.keep({ comment: text }),
    onLeave: () => c.commands.settleComment(),
  });
  const element = make("div", { class: "sd-said" }, verdict, comment.element);

  return {
    element,
    comment: comment.element,
    draw() {
      comment.draw(c.drafts.kept.comment ?? c.view.comment, c.view.isOpen);
      element.hidden = c.data.state !== "open"; // then they are shown with the outcome
      for (const { button, value } of verdicts) {
        button.setAttribute("aria-pressed", String(c.view.verdict === value));
        button.disabled = !c.view.isOpen;
      }
    },
  };
}

/** The question why a triplet is skipped: {element, draw(), open()}. */
export function createSkip(c) {
  const reasons = c.data.reasons.map((text, n) =>
    keyButton(String(n + 1), () => c.commands.chooseReason(n), { class: "sd-reason" }, make("span", { text })),
  );
  const own = make("input", {
    class: "cv-field",
    type: "text",
    placeholder: "Other reason",
    "aria-label": "Other reason to skip",
    maxlength: String(c.data.longest),
  });
  const skip = pushButton("Skip triplet", () => c.commands.skipNow(), { class: "cv-primary" });
  const back = pushButton("Continue scoring", () => c.commands.stopSkipping());
  const element = make(
    "div",
    { class: "sd-skip", role: "group", "aria-label": "Reason to skip", tabindex: "-1" },
    make("h3", { text: "Reason to skip" }),
    ...reasons,
    own,
    make("div", { class: "cv-row" }, skip, back),
  );
  own.addEventListener("input", () => {
    c.drafts.keep({ reason: own.value });
    mark();
  });
  own.addEventListener("keydown", (event) => {
    if (event.key === "Enter") c.commands.skipNow();
    else if (event.key === "Escape") c.commands.stopSkipping();
    else return;
    event.preventDefault();
  });

  function mark() {
    const chosen = c.drafts.kept.reason ?? "";
    reasons.forEach((button, n) => button.setAttribute("aria-pressed", String(c.data.reasons[n] === chosen)));
    skip.disabled = chosen.trim() === "";
  }

  return {
    element,
    open: () => element.focus({ preventScroll: true }),
    draw() {
      element.hidden = !c.ui.isSkipping;
      const chosen = c.drafts.kept.reason ?? "";
      const text = c.data.reasons.includes(chosen) ? "" : chosen;
      if (own.value !== text) own.value = text;
      mark();
    },
  };
}
