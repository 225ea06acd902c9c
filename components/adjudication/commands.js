// Commands of keys and buttons. Every ruling is an act of the outbox; the next question is chosen here.

import { NO_MARK, markOf } from "../desk/edges.js";
import { cleanName } from "../desk/names.js";
import { shownWord } from "../desk/stored_words.js";
import { viewKeys } from "../figure/view_keys.js";
import { FILTERS } from "./list.js";
import { NO_WHY, nextWaiting, ownKey, whyOf } from "./view.js";
import { CHOICE_WORDS } from "./words.js";

/** @typedef {import("../desk/types.d.ts").Frame} Frame */

const UNSETTLED = "The two graphs are being aligned. Wait a moment.";

/** @param {Frame} c */
export const createCommands = (c) => ({
  ...createRuling(c),
  ...createArrows(c),
  ...createNaming(c),
  ...createWhy(c),
  ...createWalk(c),
  ...viewKeys(c, () => c.figure.panZoom()),
});

/** Sorts of items whose card sets an edge: its reasons and comment belong to the edge. */
const STAND = ["agreed", "own", "read"];

const whyNow = (c, one) => whyOf(c.whyOf(one));

/** Rulings on differences and names, and their undo.
 * @param {Frame} c */
function createRuling(c) {
  function ruled(one, kind, payload, told) {
    if (c.act(kind, { ...payload, ...whyNow(c, one) }) === null) return;
    c.drafts.drop(one.key);
    c.say(told);
    c.goOn(one.key);
  }

  const ruleName = (one, choice, told, named = {}) =>
    ruled(
      one,
      "rule_name",
      { name: one.question.name, choice, reference: null, name_class: null, wording: "", ...named },
      told,
    );

  function choose(choice) {
    const one = c.current();
    if (one === null) return;
    if (one.type === "name") return void chooseName(one, choice);
    if (one.type === "read")
      return void (choice === "A" ? c.commands.setAsRead() : c.say("Press 1 to add the edge as the program read it."));
    if (one.type !== "difference") return void c.say("Both drew this edge. Press x to remove it.");
    if (c.view.isUnsettled) return void c.say(UNSETTLED);
    if (!one.found.legal.includes(choice))
      return void c.say(`“${CHOICE_WORDS[choice]}” cannot be ruled here. Only A or B can be right.`);
    ruled(one, "rule", { key: one.key, choice }, `Ruled: ${CHOICE_WORDS[choice]}.`);
  }

  function chooseName(one, choice) {
    const { reference, cls } = c.choiceOf(one);
    if (choice === "both") return void ruleName(one, choice, "Ruled: two variables.");
    if (reference === null) {
      c.say("Choose a name from A first.");
      return void c.card.names.openList();
    }
    if (choice !== "neither")
      ruleName(one, choice, `Ruled: ${choice}'s wording, ${cls}.`, { reference, name_class: cls });
    else if (!c.isClosed()) c.card.names.askWording(reference);
  }

  function again(kind) {
    if (c.can(kind)) c.ui.wasBefore ??= c.data;
    c.again(kind);
  }

  return {
    choose,
    chooseA: () => choose("A"),
    chooseB: () => choose("B"),
    chooseBoth: () => choose("both"),
    chooseNeither: () => choose("neither"),
    ruleWording() {
      const one = c.current();
      if (one?.type !== "name") return;
      const { reference, cls } = c.choiceOf(one);
      const wording = cleanName(c.card.names.typed());
      if (wording === "") return void c.say("Write the wording to use.");
      c.focus();
      ruleName(one, "neither", `Ruled: ${wording}.`, { reference, name_class: cls, wording });
    },
    takeBack() {
      const one = c.current();
      if (one === null || one.ruling === null || one.type === "agreed") c.say("There is no ruling to clear.");
      else if (c.act("take_back", { key: one.key }) !== null) c.say("Ruling cleared.");
    },
    undo: () => again("undo"),
    redo: () => again("redo"),
  };
}

/** The adjudicator's own edges, and those that both drew.
 * @param {Frame} c */
function createArrows(c) {
  function setArrow(source, sink, mark = NO_MARK, isThere = true) {
    if (c.view.isUnsettled) {
      c.say(UNSETTLED);
      return null;
    }
    const one = c.current();
    const why = one !== null && STAND.includes(one.type) ? whyNow(c, one) : NO_WHY;
    const [from, to] = [c.wording(source), c.wording(sink)];
    const done = c.act("set_arrow", { source: from, sink: to, is_there: isThere, ...mark, ...why });
    if (done === null) return null;
    if (why !== NO_WHY && one.type !== "own") c.drafts.drop(one.key);
    if (c.ui.filter === "waiting") c.ui.filter = "ruled";
    c.say(`${isThere ? "Set" : "Removed"}: ${from} to ${to}.`);
    c.go(ownKey(source, sink));
    return done;
  }

  return {
    setArrow,
    /** Set the edge as it was read, in place of the one that both drew reversed. */
    setAsRead() {
      const one = c.current();
      if (one?.type !== "read") return;
      const { source, sink, is_turned: isTurned } = one.found;
      if (isTurned && setArrow(sink, source, NO_MARK, false) === null) return;
      setArrow(source, sink, markOf(one.found));
    },
    addArrow: () => c.isClosed() || c.own.open(),
    strike() {
      const one = c.current();
      if (one?.type !== "agreed")
        return void c.say("Only an edge that both drew can be removed. Choose one in the figure or under Agreed.");
      setArrow(one.found.source, one.found.sink, NO_MARK, false);
    },
  };
}

/** Choices about a name of B's: which of A's it is, and how the two differ.
 * @param {Frame} c */
function createNaming(c) {
  /** Change the choice about a name; if it was ruled, the ruling changes with it. */
  function sayName(part) {
    const one = c.current();
    if (one?.type !== "name" || !c.isEditable()) return;
    c.drafts.change(one.key, part);
    const { reference, cls, wording } = c.choiceOf(one);
    const choice = one.ruling?.choice ?? "both";
    if (choice !== "both" && reference !== null) {
      const { name } = one.question;
      const fields = { name, choice, reference, name_class: cls, wording: choice === "neither" ? wording : "" };
      c.act("rule_name", { ...fields, ...whyNow(c, one) });
      c.drafts.drop(one.key);
    }
    c.draw();
  }

  const setClass = (n) => sayName({ cls: c.data.classes[n] });
  const setReference = (reference) => sayName({ reference, cls: undefined });
  return {
    setClass,
    setReference,
    typo: () => setClass(0),
    minor: () => setClass(1),
    major: () => setClass(2),
    nextOffer() {
      const one = c.current();
      if (one?.type !== "name") return;
      const { offers } = one.question;
      if (offers.length < 2) return void c.say("No other name from A is similar. Press W to list all.");
      const reference = offers[(offers.indexOf(c.choiceOf(one).reference) + 1) % offers.length];
      setReference(reference);
      c.say(`A: ${reference}`);
    },
    allOffers: () => c.current()?.type === "name" && c.card.names.openList(),
  };
}

/** Reasons, comment and gap of the current item.
 * @param {Frame} c */
function createWhy(c) {
  const { ui } = c;

  /** Send the changed reasons of a stored ruling; those of a new ruling go with it. */
  function settleWhy(key) {
    const one = c.view.byKey.get(key);
    if (one === undefined || one.ruling === null || !c.isEditable() || !c.whyOf(one).isChanged) return;
    c.act("note", { key, ...whyNow(c, one) });
    c.drafts.drop(key);
  }

  function changeWhy(part) {
    const one = c.current();
    if (one === null || !c.isEditable()) return;
    c.drafts.change(one.key, part);
    settleWhy(one.key);
    c.draw();
  }

  const setGap = (isGap) => changeWhy({ is_gap: isGap });
  return {
    settleWhy,
    setGap,
    reason() {
      if (c.current() === null) return;
      ui.picksReason = !ui.picksReason;
      c.say(ui.picksReason ? "Press the number of a reason." : "");
      c.draw();
    },
    toggleReason(n) {
      ui.picksReason = false;
      const one = c.current();
      const reason = c.data.reasons[n];
      if (one === null || reason === undefined) return void c.draw();
      const { reasons } = c.whyOf(one);
      const has = reasons.includes(reason);
      changeWhy({ reasons: has ? reasons.filter((each) => each !== reason) : [...reasons, reason] });
      c.say(`${has ? "Without" : "Reason"}: ${shownWord(reason)}.`);
      c.draw();
    },
    comment: () => c.current() !== null && c.card.why.comment.focus(),
    gap: () => c.current() !== null && setGap(!c.whyOf(c.current()).is_gap),
  };
}

/** Navigation between items, and finishing.
 * @param {Frame} c */
function createWalk(c) {
  const { ui } = c;

  function step(by) {
    const walk = c.walk();
    const at = walk.findIndex(({ key }) => key === ui.current);
    const next = walk[at < 0 ? 0 : (at + by + walk.length) % walk.length];
    if (next) c.go(next.key);
  }

  function finish() {
    ui.wantsFinish = true;
    c.tellFinish();
  }

  return {
    finish,
    next: () => step(1),
    previous: () => step(-1),
    nextWaiting() {
      const next = nextWaiting(c.view.items, ui.current);
      if (next !== null) c.go(next.key);
      else if (c.isEditable() && c.view.left === 0) finish();
    },
    showRead() {
      ui.asked = ui.current;
      c.draw();
    },
    /** Show the named filter, from its button, or the next one, by key. */
    filter(name) {
      const names = FILTERS.map(([each]) => each);
      ui.filter = typeof name === "string" ? name : names[(names.indexOf(ui.filter) + 1) % names.length];
      c.say(`Listed: ${ui.filter}.`);
      c.draw();
    },
  };
}
