// What keys and buttons do on the desk. Every ruling is an act of the outbox; where one goes next is decided here.

import { ARROWS } from "../canvas/geometry.js";
import { cleanName } from "../desk/names.js";
import { PANZOOM_STEP } from "../figure/panzoom.js";
import { FILTERS } from "./list.js";
import { nextWaiting, ownKey } from "./view.js";
import { CHOICE_WORDS } from "./words.js";

const PAN_PX = 60;
const CLOSED = "This adjudication is closed to changes.";
const STALE = "This copy is stale. Nothing is changed.";
const UNSETTLED = "The two graphs are being aligned. Wait a moment.";

export function createDeeds(c) {
  const { ui } = c;
  const item = () => c.current();

  function act(kind, payload) {
    if (!c.isEditable()) {
      c.say(c.data.halted ? STALE : CLOSED);
      return null;
    }
    return c.act(kind, payload);
  }

  const whyNow = (one) => {
    const { reasons, comment, is_gap } = c.whyOf(one);
    return { reasons, comment, is_gap };
  };

  function ruled(one, kind, payload, told) {
    if (act(kind, { ...payload, ...whyNow(one) }) === null) return;
    c.drafts.drop(one.key);
    c.say(told);
    c.goOn(one.key);
  }

  function choose(choice) {
    const one = item();
    if (one === null) return;
    if (one.type === "name") return void chooseName(one, choice);
    if (one.type !== "difference") return void c.say("Both drew this edge. Press x to remove it.");
    if (c.view.isUnsettled) return void c.say(UNSETTLED);
    if (!one.found.legal.includes(choice))
      return void c.say(`“${CHOICE_WORDS[choice]}” cannot be ruled here. Only A or B can be right.`);
    ruled(one, "rule", { key: one.key, choice }, `Ruled: ${CHOICE_WORDS[choice]}.`);
  }

  function chooseName(one, choice) {
    const { reference, cls } = c.choiceOf(one);
    const { name } = one.question;
    if (choice === "both")
      return void ruled(
        one,
        "rule_name",
        { name, choice, reference: null, name_class: null, wording: "" },
        "Ruled: two variables.",
      );
    if (reference === null) {
      c.say("Choose a name from A first.");
      return void c.card.names.openList();
    }
    if (choice === "neither") return void (c.isEditable() ? c.card.names.askWording(reference) : c.say(CLOSED));
    ruled(
      one,
      "rule_name",
      { name, choice, reference, name_class: cls, wording: "" },
      `Ruled: ${choice}’s wording, ${cls}.`,
    );
  }

  /** What is said about a name changes; if it was ruled, the ruling changes with it. */
  function sayName(part) {
    const one = item();
    if (one?.type !== "name" || !c.isEditable()) return;
    c.drafts.change(one.key, part);
    const { reference, cls, wording } = c.choiceOf(one);
    const { ruling } = one;
    if (ruling !== null && ruling.choice !== "both" && reference !== null) {
      act("rule_name", {
        name: one.question.name,
        choice: ruling.choice,
        reference,
        name_class: cls,
        wording: ruling.choice === "neither" ? wording : "",
        ...whyNow(one),
      });
      c.drafts.drop(one.key);
    }
    c.draw();
  }

  /** Sends why of a ruling that stands, once it was changed; of one that waits it goes with the ruling. */
  function settleWhy(key) {
    const one = c.view.byKey.get(key);
    if (one === undefined || one.ruling === null || !c.isEditable()) return;
    const why = c.whyOf(one);
    if (!why.isChanged) return;
    act("note", { key, ...whyNow(one) });
    c.drafts.drop(key);
  }

  function changeWhy(part) {
    const one = item();
    if (one === null || !c.isEditable()) return;
    c.drafts.change(one.key, part);
    settleWhy(one.key);
    c.draw();
  }

  function step(by) {
    const walk = c.walk();
    const at = walk.findIndex(({ key }) => key === ui.current);
    const next = walk[at < 0 ? 0 : (at + by + walk.length) % walk.length];
    if (next) c.go(next.key);
  }

  const deeds = {
    choose,
    settleWhy,
    chooseA: () => choose("A"),
    chooseB: () => choose("B"),
    chooseBoth: () => choose("both"),
    chooseNeither: () => choose("neither"),
    ruleWording() {
      const one = item();
      if (one?.type !== "name") return;
      const { reference, cls } = c.choiceOf(one);
      const wording = cleanName(c.card.names.element.querySelector("input").value);
      if (wording === "") return void c.say("Write the wording to use.");
      c.focusCard();
      ruled(
        one,
        "rule_name",
        { name: one.question.name, choice: "neither", reference, name_class: cls, wording },
        `Ruled: ${wording}.`,
      );
    },
    takeBack() {
      const one = item();
      if (one === null || one.ruling === null || one.type === "agreed")
        return void c.say("There is no ruling to clear.");
      if (act("take_back", { key: one.key }) !== null) c.say("Ruling cleared.");
      c.draw();
    },
    undo: () => again("undo"),
    redo: () => again("redo"),
    addArrow: () => (c.isEditable() ? c.own.open() : c.say(CLOSED)),
    strike() {
      const one = item();
      if (one?.type !== "agreed")
        return void c.say("Only an edge that both drew can be removed. Choose one in the figure or under Agreed.");
      setArrow(one.found.source, one.found.sink, {}, false);
    },
    setArrow: (source, sink, mark) => setArrow(source, sink, mark, true),
    typo: () => sayName({ cls: c.data.classes[0] }),
    minor: () => sayName({ cls: c.data.classes[1] }),
    major: () => sayName({ cls: c.data.classes[2] }),
    setClass: (n) => sayName({ cls: c.data.classes[n] }),
    setReference: (reference) => sayName({ reference, cls: undefined }),
    nextOffer() {
      const one = item();
      if (one?.type !== "name") return;
      const { offers } = one.question;
      if (offers.length < 2) return void c.say("No other name from A is similar. Press W to list all.");
      const at = offers.indexOf(c.choiceOf(one).reference);
      const reference = offers[(at + 1) % offers.length];
      sayName({ reference, cls: undefined });
      c.say(`A: ${reference}`);
    },
    allOffers: () => item()?.type === "name" && c.card.names.openList(),
    reason() {
      if (item() === null) return;
      ui.picksReason = !ui.picksReason;
      c.say(ui.picksReason ? "Press the number of a reason." : "");
      c.draw();
    },
    toggleReason(n) {
      ui.picksReason = false;
      const one = item();
      const reason = c.data.reasons[n];
      if (one === null || reason === undefined) return void c.draw();
      const { reasons } = c.whyOf(one);
      const has = reasons.includes(reason);
      changeWhy({ reasons: has ? reasons.filter((each) => each !== reason) : [...reasons, reason] });
      c.say(`${has ? "Without" : "Reason"}: ${reason}.`);
      c.draw();
    },
    comment: () => item() !== null && c.card.why.comment.focus(),
    gap: () => item() !== null && deeds.setGap(!c.whyOf(item()).is_gap),
    setGap: (isGap) => changeWhy({ is_gap: isGap }),
    next: () => step(1),
    previous: () => step(-1),
    nextWaiting() {
      const next = nextWaiting(c.view.items, ui.current);
      if (next !== null) return void c.go(next.key);
      if (c.isEditable() && c.view.left === 0) deeds.finish();
    },
    /** By name from its button; by key the next one. */
    filter(name) {
      const names = FILTERS.map(([each]) => each);
      ui.filter = typeof name === "string" ? name : names[(names.indexOf(ui.filter) + 1) % names.length];
      c.say(`Listed: ${ui.filter}.`);
      c.draw();
    },
    finish() {
      ui.wantsFinish = true;
      c.tellFinish();
    },
    whole() {
      ui.whole = !ui.whole;
      c.draw();
    },
    zoom: ({ key }) => c.figure.zoom(key === "+" || key === "=" ? PANZOOM_STEP : 1 / PANZOOM_STEP),
    pan({ key }) {
      const [dx, dy] = ARROWS[key];
      c.figure.pan(-dx * PAN_PX, -dy * PAN_PX);
    },
    help: () => c.sheet.open(),
  };

  function again(kind) {
    if (!c.can(kind)) return void c.say(`There is nothing to ${kind}.`);
    ui.wasBefore ??= c.data;
    act(kind, {});
    c.say(kind === "undo" ? "Undone." : "Redone.");
    c.draw();
  }

  function setArrow(source, sink, { sign = "", delay = false }, isThere) {
    if (c.view.isUnsettled) {
      c.say(UNSETTLED);
      return null;
    }
    const one = item();
    const why =
      one !== null && (one.type === "agreed" || one.type === "own")
        ? whyNow(one)
        : { reasons: [], comment: "", is_gap: false };
    const done = act("set_arrow", {
      source: c.wording(source),
      sink: c.wording(sink),
      is_there: isThere,
      sign,
      delay,
      ...why,
    });
    if (done === null) return null;
    if (one?.type === "agreed") c.drafts.drop(one.key);
    if (ui.filter === "waiting") ui.filter = "ruled";
    c.say(`${isThere ? "Set" : "Removed"}: ${c.wording(source)} to ${c.wording(sink)}.`);
    c.go(ownKey(source, sink));
    return done;
  }

  return deeds;
}
