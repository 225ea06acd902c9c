// Commands of keys and buttons. Every score is an act of the outbox; the next criterion is chosen here.

import { viewKeys } from "../figure/view_keys.js";
import { nextMissing, stepped } from "./view.js";
import { nextVerdict, VERDICT, VERDICT_WORDS } from "./words.js";

/** @typedef {import("../desk/types.d.ts").Frame} Frame */

/** @param {Frame} c */
export const createCommands = (c) => ({
  ...createScoring(c),
  ...createSaying(c),
  ...createSubmitting(c),
  ...createSkipping(c),
  ...createReading(c),
});

const criterionOf = (c, key) => c.data.criteria.find((each) => each.key === key);

/** Scores, by key or by press on them.
 * @param {Frame} c */
function createScoring(c) {
  const { ui } = c;

  /** Send one score and store it for undo. */
  function put(key, value) {
    c.drafts.pushUndo(key, c.view.scores.get(key) ?? null);
    c.act("score", { criterion: key, value });
  }

  function setScore(key, value) {
    if (c.isClosed()) return;
    const criterion = criterionOf(c, key);
    if (value >= criterion.words.length)
      return void c.say(`${criterion.name} takes 0 to ${criterion.words.length - 1}.`);
    if (c.view.scores.get(key) !== value) put(key, value);
    const next = nextMissing(c.data.criteria, c.view, key);
    const then = next === null ? "All scored: Enter submits." : `${criterionOf(c, next).name}?`;
    c.say(`${criterion.name} ${value}. ${then}`);
    c.go(next);
  }

  return {
    setScore,
    /** Score, by key, the chosen criterion, or the first without a score. */
    score({ key: digit }) {
      if (ui.isSkipping) return void c.commands.chooseReason(Number(digit) - 1);
      if (c.isClosed()) return;
      const key = ui.current ?? nextMissing(c.data.criteria, c.view, null);
      if (key === null)
        return void c.say("All criteria are scored. Choose one (↑ ↓) to change its score, or press Enter to submit.");
      setScore(key, Number(digit));
    },
    takeBack() {
      if (c.isClosed()) return;
      if (ui.current === null || !c.view.scores.has(ui.current))
        return void c.say("This criterion has no score to clear.");
      put(ui.current, null);
      c.say("Score cleared.");
    },
    undo() {
      if (c.isClosed()) return;
      const last = c.drafts.popUndo();
      if (last === null) return void c.say("There is nothing to undo.");
      const [key, before] = last;
      if (criterionOf(c, key) === undefined) return;
      c.act("score", { criterion: key, value: Number.isInteger(before) ? before : null });
      c.say(`Undone: ${criterionOf(c, key).name} ${before ?? "is not scored"}.`);
      c.go(key);
    },
    choose: (key) => c.go(key),
    next: () => c.go(stepped(c.data.criteria, ui.current, 1)),
    previous: () => c.go(stepped(c.data.criteria, ui.current, -1)),
  };
}

/** Own decision and comment, in addition to the scores.
 * @param {Frame} c */
function createSaying(c) {
  function setVerdict(verdict) {
    if (c.isClosed()) return;
    c.act("score", { criterion: VERDICT, value: verdict === null ? null : Number(verdict) });
    c.say(`Your own decision: ${VERDICT_WORDS.get(verdict)}.`);
  }

  return {
    setVerdict,
    verdict: () => setVerdict(nextVerdict(c.view.verdict)),
    comment() {
      if (c.view.isOpen && !c.ui.isSkipping) c.said.comment.focus();
    },
    /** Send the comment if it is not the stored one. */
    settleComment() {
      const draft = c.drafts.kept.comment;
      if (draft === null || !c.view.isOpen) return;
      c.drafts.keep({ comment: null });
      if (draft.trim() !== c.view.comment) c.act("comment", { text: draft });
      c.draw();
    },
  };
}

/** Submission, and the next triplet.
 * @param {Frame} c */
function createSubmitting(c) {
  const { ui } = c;

  function submit() {
    if (c.isClosed()) return;
    const [first] = c.view.missing;
    if (first !== undefined) {
      c.say(`Not scored yet: ${c.view.missing.map((key) => criterionOf(c, key).name).join(", ")}.`);
      return void c.go(first);
    }
    c.commands.settleComment();
    c.act("submit");
    c.say("Submitting.");
  }

  /** Remember a press before the answer arrives, and show it on the button. */
  function goOnLater() {
    ui.isToGoOn = true;
    c.say("Submitting. The next triplet follows.");
    c.draw();
  }

  return {
    submit,
    enter() {
      if (ui.isSkipping) return void c.commands.skipNow();
      if (c.data.state !== "open") return void c.tellNext();
      if (c.view.sending !== "" && !c.data.halted) return void goOnLater();
      submit();
    },
  };
}

/** Reasons for skipping a triplet.
 * @param {Frame} c */
function createSkipping(c) {
  const { ui } = c;

  function stopSkipping() {
    ui.isSkipping = false;
    c.draw();
    c.focus();
  }

  return {
    stopSkipping,
    skip() {
      if (c.isClosed()) return;
      if (ui.isSkipping) return void stopSkipping();
      ui.isSkipping = true;
      c.draw();
      c.skip.open();
      c.say("Choose a reason (1 to 4) or type one. Enter skips, Esc returns.");
    },
    chooseReason(n) {
      const reason = c.data.reasons[n];
      if (reason === undefined) return;
      c.drafts.keep({ reason });
      c.say(reason);
      c.draw();
    },
    skipNow() {
      const reason = (c.drafts.kept.reason ?? "").trim();
      if (reason === "") return void c.say("Choose or write a reason.");
      if (c.isClosed()) return;
      ui.isSkipping = false;
      c.act("skip", { reason });
      c.say("Skipping.");
    },
  };
}

/** Evidence and page.
 * @param {Frame} c */
function createReading(c) {
  const { ui } = c;

  function chooseEvidence(n) {
    Object.assign(ui, { evidence: n, turn: 0, whole: false });
    c.say(`Evidence ${n + 1}: ${c.data.claim.evidence[n].found}`);
    c.draw();
    c.evidence.reveal();
  }

  return {
    chooseEvidence,
    evidence() {
      const many = c.data.claim.evidence;
      const after = [...many.keys()]
        .map((n) => (ui.evidence + 1 + n) % many.length)
        .find((n) => many[n].places.length > 0);
      if (after === undefined) return void c.say("No evidence passage has a page to show.");
      chooseEvidence(after);
    },
    /** Show the next page of evidence that is on two. */
    turn() {
      const { places } = c.data.claim.evidence[ui.evidence];
      ui.turn = (ui.turn + 1) % places.length;
      c.draw();
    },
    words() {
      ui.allWords = !ui.allWords;
      c.draw();
    },
    ...viewKeys(c, () => c.evidence.panZoom()),
    paper() {
      const { url } = c.data.claim.paper;
      if (!url) return void c.say("The file gives no address for the paper.");
      open(url, "_blank", "noopener,noreferrer");
    },
  };
}
