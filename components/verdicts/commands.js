// Commands of keys and buttons. Every label and ruling is an act of the outbox; the next item is chosen here.

import { labelSteps, rulingBack } from "./history.js";
import { choicesOf } from "./picture.js";
import { nextMissing } from "./view.js";
import { judgeOf, kindOf, nameOf, wordOf } from "./words.js";

/** @typedef {import("../desk/types.d.ts").Frame} Frame */

/** @param {Frame} c */
export const createCommands = (c) => ({
  ...createLabelling(c),
  ...createGoing(c),
  ...createRuling(c),
  ...createReasons(c),
  ...createLinking(c),
  ...createUndoing(c),
  ...createLooking(c),
});

/** @param {Frame} c */
function createLabelling(c) {
  const { ui } = c;

  function put(key, label) {
    const [block, field] = key.split(".");
    const { number, own } = c.item();
    const before = { ...own };
    const payload = { number, block, field, label };
    if (c.act("label", payload) === null) return;
    const back = labelSteps(c.data, number, c.item().own, before);
    c.history.note({ number, forth: [{ kind: "label", payload }], back });
  }

  function setLabel(key, label) {
    if (c.isClosed()) return;
    const item = c.item();
    if (c.isFixed(item)) return void c.say("This item is compared; your labels stay as you gave them.");
    if (item.own[key] !== label) {
      ui.last.push(key);
      put(key, label);
    }
    const next = nextMissing(c.data, c.item(), key);
    const title = c.data.fields.find((each) => each.key === (next ?? key)).title;
    c.say(`${wordOf(c.data, key, label)}. ${next === null ? "All labels set: Enter compares." : `${title}?`}`);
    c.noteField(next);
    c.focus();
  }

  return {
    setLabel,
    choose({ key: digit }) {
      if (ui.asks === "keep") return void c.commands.chooseReason(Number(digit) - 1);
      if (c.isClosed()) return;
      const key = ui.field ?? nextMissing(c.data, c.item(), null) ?? c.data.fields[0].key;
      const field = c.data.fields.find((each) => each.key === key);
      const choice = field.choices[Number(digit) - 1];
      if (choice === undefined) return void c.say(`${field.title} takes 1 to ${field.choices.length}.`);
      setLabel(key, choice.label);
    },
    clear() {
      if (c.isClosed()) return;
      const item = c.item();
      const key =
        ui.last.pop() ?? c.data.fields.map((each) => each.key).findLast((each) => item.own[each] !== undefined);
      if (key === undefined || item.own[key] === undefined) return void c.say("There is no label to clear.");
      if (c.isFixed(item)) return void c.say("This item is compared; your labels stay as you gave them.");
      put(key, null);
      c.noteField(key);
      c.say("Label cleared.");
      c.focus();
    },
    nextField: () => c.stepField(1),
    previousField: () => c.stepField(-1),
  };
}

/** @param {Frame} c */
function createGoing(c) {
  const { ui } = c;

  function compare(item) {
    if (item.missing.length > 0) {
      const title = c.data.fields.find(({ key }) => key === item.missing[0]).title;
      c.say(`${title} is still to come; the judge's labels are shown when all are set.`);
      c.noteField(item.missing[0]);
      return void c.focus();
    }
    c.act("compare", { number: item.number });
    if (c.data.label_first) c.history.fix(item.number);
    c.say("Comparing.");
    c.focus();
  }

  function onward() {
    const left = [...c.view.items.keys()].map((n) => (ui.at + 1 + n) % c.view.items.length);
    const next = left.find((n) => !c.view.items[n].isDone);
    if (next !== undefined) return void c.go(next);
    if (c.view.done === c.view.items.length) submit();
  }

  /** Submit; ask first while the user has not ruled on a difference. */
  function submit() {
    const left = c.view.items.filter(({ isUnanswered }) => isUnanswered).length;
    if (left > 0) {
      c.ask_("submit");
      return void c.say(`${left} ${left === 1 ? "item differs" : "items differ"} and you gave no answer.`);
    }
    c.act("submit");
    c.say("All items are compared. Submitting.");
  }

  return {
    enter() {
      if (ui.asks === "link") return void c.counterparts.send();
      if (ui.asks === "submit") return void c.commands.backToItem();
      if (ui.asks !== "") return void c.commands.sendReason();
      if (c.data.state !== "open") return void c.tellNext();
      if (c.isClosed()) return;
      const item = c.item();
      if (item.isDone) onward();
      else if (!c.data.label_first && Object.keys(item.own).length === 0) onwardVisible();
      else compare(item);
    },
    next: () => c.go((ui.at + 1) % c.view.items.length),
    previous: () => c.go((ui.at - 1 + c.view.items.length) % c.view.items.length),
  };

  /** If the verdict is visible from the beginning, an item may be left without own labels. */
  function onwardVisible() {
    if (ui.at + 1 < c.view.items.length) return void c.go(ui.at + 1);
    submit();
  }
}

/** Do a step, also in undo and redo: a ruling refers to the current verdict.
 * @param {Frame} c */
export function doStep(c, { kind, payload }) {
  const isRuling = ["keep", "concede", "both"].includes(kind);
  return c.act(kind, isRuling ? { ...payload, seen_review: c.seenReview() } : payload);
}

/** @param {Frame} c */
function createRuling(c) {
  /** Send the user's own ruling and store it for undo. */
  function ruled(kind, payload) {
    const back = rulingBack(c.history.done(), payload.number);
    const step = { kind, payload };
    if (doStep(c, step) !== null) c.history.note({ number: payload.number, forth: [step], back });
  }

  function mayRule() {
    if (c.isClosed()) return false;
    const item = c.item();
    if (item.judges.length === 0) c.say("Compare this item first (Enter).");
    else if (Object.keys(item.own).length === 0) c.say("Set your own labels first.");
    else if (item.against.length === 0) c.say(`You and ${judgeOf(item)} agree on this item.`);
    else return true;
    return false;
  }

  function settle(kind, words) {
    if (!mayRule()) return;
    ruled(kind, { number: c.item().number });
    c.say(words);
    c.focus();
  }

  return {
    ruled,
    keep() {
      if (mayRule()) c.ask_("keep");
    },
    concede: () => settle("concede", "The judge is right. Your labels stay as the blind ones."),
    both: () => settle("both", "Both can be defended. Scores stay."),
    takeBack() {
      if (c.isClosed()) return;
      if (!c.item().rulings.some(({ is_mine }) => is_mine))
        return void c.say("You have ruled nothing about this item.");
      const { number } = c.item();
      const [, ...back] = rulingBack(c.history.done(), number);
      c.act("take_back", { number });
      if (back.length > 0) c.history.note({ number, forth: [{ kind: "take_back", payload: { number } }], back });
      c.say("Taken back.");
    },
    flag() {
      if (!c.isClosed()) c.ask_("flag");
    },
    skip() {
      if (!c.isClosed()) c.ask_("skip");
    },
  };
}

/** Undo and redo of steps in this browser; then of a ruling about the open item.
 * @param {Frame} c */
function createUndoing(c) {
  function run({ number }, steps, word) {
    const at = c.view.items.findIndex((each) => each.number === number);
    if (at >= 0 && at !== c.ui.at) c.go(at);
    for (const step of steps) doStep(c, step);
    c.ui.field = c.item().isDone ? null : nextMissing(c.data, c.item(), null);
    c.draw();
    c.focus();
    c.say(word);
  }

  return {
    undo() {
      if (c.isClosed()) return;
      const entry = c.history.back();
      if (entry !== null) run(entry, entry.back, "Undone.");
      else if (c.item().rulings.some(({ is_mine }) => is_mine)) c.commands.takeBack();
      else c.say("There is nothing to undo. What was compared stays compared.");
    },
    redo() {
      if (c.isClosed()) return;
      const entry = c.history.again();
      if (entry === null) c.say("There is nothing to redo.");
      else run(entry, entry.forth, "Redone.");
    },
  };
}

/** Counterparts: nodes that are one.
 * @param {Frame} c */
function createLinking(c) {
  const nameAt = (side, number) => c.data.nodes.find((node) => node[side] === number).name;

  /** @param {{truth: number, answer: number, is_one: boolean}[]} links */
  function linkAll(links) {
    if (c.isClosed()) return;
    const sentences = links.map(({ truth, answer, is_one }) => {
      c.act("counterpart", { truth, answer, is_one });
      const step = (isOne) => [{ kind: "counterpart", payload: { truth, answer, is_one: isOne } }];
      c.history.note({ number: c.item().number, forth: step(is_one), back: step(!is_one) });
      const names = `${nameAt("truth", truth)} and ${nameAt("answer", answer)}`;
      return is_one ? `Drawn as one: ${names}.` : `Drawn apart: ${names}.`;
    });
    c.say(sentences.join(" "));
    if (c.ui.asks === "link") c.commands.stopReason();
    else c.focus();
  }

  return {
    linkAll,
    link: ({ truth, answer, by }) => linkAll([{ truth, answer, is_one: by !== "you" }]),
    counterpart() {
      if (c.isClosed()) return;
      const choices = choicesOf(/** @type {any} */ (c.data), c.view.links, c.item());
      if (choices.length === 1 && choices[0].is_one) linkAll(choices);
      else c.ask_("link");
    },
    showWhole() {
      if (!c.data.may_show_whole) return;
      c.ask("whole");
      c.say("All that the judge said of this answer is on the picture.");
    },
  };
}

const WHY_NOT = {
  keep: "Say in a few words why: an override without a reason helps nobody.",
  flag: "Say in a few words why this item cannot be judged.",
  skip: "Give a reason for skipping this sheet.",
};

/** Reasons: chosen by number for an override, written for the others.
 * @param {Frame} c */
function createReasons(c) {
  const { ui } = c;

  function stopReason() {
    ui.asks = "";
    ui.reason = "";
    c.draw();
    c.focus();
  }

  function send(reason, note) {
    const number = c.item().number;
    const kind = ui.asks;
    if (kind === "keep") c.commands.ruled("keep", { number, reason, note });
    else if (kind === "flag") c.commands.ruled("flag", { number, note });
    else c.act("skip", { reason: note });
    c.drafts.keep({ note: null });
    c.say(
      kind === "keep" ? "Override saved." : kind === "flag" ? "Marked as not to be judged." : "Skipping this sheet.",
    );
    stopReason();
  }

  return {
    stopReason,
    /** Close the request; that of submitting opens the first item without an answer. */
    backToItem() {
      const isSubmit = ui.asks === "submit";
      stopReason();
      if (isSubmit) c.go(c.view.items.findIndex(({ isUnanswered }) => isUnanswered));
    },
    chooseReason(n) {
      const reason = c.data.reasons[n];
      if (reason === undefined) return;
      if (reason !== "other") return void send(reason, c.labels.reason.note.value.trim());
      ui.reason = reason;
      c.labels.reason.note.focus();
      c.say("Say in a few words why.");
    },
    sendReason() {
      if (ui.asks === "submit") {
        c.act("submit");
        c.say("Submitting.");
        return void stopReason();
      }
      const note = c.labels.reason.note.value.trim();
      if (note === "") return void c.say(WHY_NOT[ui.asks]);
      send("other", note);
    },
  };
}

/** @param {Frame} c */
function createLooking(c) {
  return {
    reasoning: () => c.labels.reasoning.toggle(),
    definitions() {
      c.ui.definesAll = !c.ui.definesAll;
      c.draw();
      c.say(c.ui.definesAll ? "All definitions." : "Definitions of the current field.");
    },
    sentence: () => c.text.next(),
    search: () => c.text.search.focus(),
    around() {
      c.ui.isAround = !c.ui.isAround;
      c.draw();
      c.say(
        c.ui.isAround
          ? `Around ${kindOf(c.data).toLowerCase()} ${c.item().number}: ${nameOf(c.item())}`
          : "The whole graph.",
      );
    },
    side() {
      c.ui.side = c.graph.nextSide();
      c.draw();
    },
  };
}
