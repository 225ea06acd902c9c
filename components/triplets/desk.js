// The scoring desk. One desk lives on one shadow root; every rerun only hands it new data, so that zoom, focus, place
// and typed text survive. Texts of triplets and critics are hostile: they go in by textContent and value only.

import { createNotices } from "../canvas/parts.js";
import { make, pushButton, setText } from "../desk/dom.js";
import { createSheet, deedsOf, focusWhenFree, isTextField, pressOf, receiptState, receiptText } from "../desk/keys.js";
import { keptOn } from "../desk/mounted.js";
import { createOutbox } from "../desk/outbox.js";
import { createClaim } from "./claim.js";
import { createScoringDeeds } from "./commands.js";
import { createCriteria } from "./criteria.js";
import { createAnswer } from "./critics.js";
import { createScoringDrafts } from "./drafts.js";
import { createEvidence } from "./evidence.js";
import { SCORING_KEYS, SCORING_NOTE } from "./key_table.js";
import { createSaid, createSkip } from "./said.js";
import { mostApart, nextMissing, scoringView } from "./view.js";
import { placeText } from "./words.js";

const SCORING_DEEDS = deedsOf(SCORING_KEYS);
const SCORING_REPEATS = ["next", "previous", "zoom", "pan"];

function createScoringDesk(host, first) {
  const { subject } = first;
  const root = make("div", { class: "pz-frame cv sd" });
  const ui = {
    current: null,
    evidence: 0,
    turn: 0,
    whole: false,
    allWords: false,
    isSkipping: false,
    isGoing: false,
    isToGoOn: false,
  };
  /** @type {(name: string, value: unknown) => void} */
  const setState = () => {};
  const c = { root, ui, data: first, view: scoringView(first, []), drafts: createScoringDrafts(subject), setState };
  const outbox = createOutbox({ subject: `scoring ${subject}`, send: () => {}, onChange: () => heard() });
  const said = make("p", { class: "pz-said", role: "status" });
  const receipt = make("p", { class: "cv-receipt" });
  const note = make("p", { class: "cv-small sd-told" });
  let isAdding = false;
  let isFirst = true;
  let nextN = 0;

  Object.assign(c, {
    focused: () => host.activeElement,
    say(text) {
      said.textContent = "";
      said.textContent = text;
    },
    act(kind, payload) {
      isAdding = true;
      const act = outbox.add(kind, payload);
      isAdding = false;
      relay();
      return act;
    },
    /** The criterion that keys score; null: all are scored. */
    noteCurrent(key) {
      if (ui.current === key) return;
      root.removeAttribute("data-roving");
      ui.current = key;
      c.drafts.set({ current: key });
      c.draw();
    },
    go(key) {
      root.removeAttribute("data-roving");
      c.noteCurrent(key);
      c.draw();
      c.focus();
    },
    /** Whether the criteria stand beside the evidence, in a column of their own that may scroll. */
    isWide: () => getComputedStyle(right).display !== "contents",
    /** Where keys are heard: the chosen criterion, what came of it, or the card. */
    focus() {
      if (c.data.state !== "open") return void c.answer.focus();
      if (ui.current !== null) return void c.criteria.focus(ui.current);
      card.focus({ preventScroll: true });
    },
    /** Asks the page for the next triplet. */
    tellNext() {
      if (ui.isGoing || c.data.state === "open") return;
      ui.isGoing = true;
      nextN = Math.max(nextN + 1, Date.now());
      c.setState("next", nextN);
      c.draw();
    },
    draw() {
      c.claim.draw(c.data.claim);
      c.evidence.draw();
      c.criteria.draw();
      c.said.draw();
      c.skip.draw();
      c.answer.draw();
      drawActions();
      drawReceipt();
    },
  });

  c.claim = createClaim();
  c.evidence = createEvidence(c, first);
  c.criteria = createCriteria(c);
  c.said = createSaid(c);
  c.skip = createSkip(c);
  c.answer = createAnswer(c);
  c.deeds = createScoringDeeds(c);
  const place = make("p", { class: "sd-place" });
  const primary = pushButton("", () => c.deeds.enter(), { class: "cv-primary sd-primary" });
  const skip = pushButton("Skip …", () => c.deeds.skip(), { title: "Skip with a reason (s)" });
  const undo = pushButton("Undo", () => c.deeds.undo(), { title: "Undo your last score (u)" });
  const help = pushButton("?", () => c.sheet.open(), {
    class: "cv-square",
    title: "All keys (?)",
    "aria-label": "All keys",
  });
  const actions = make("div", { class: "cv-row sd-actions" }, primary, skip, undo, help);
  const foot = make("div", { class: "sd-end" }, receipt, note, place);
  const card = make(
    "section",
    { class: "sd-card", tabindex: "-1", "aria-label": "Scores" },
    c.criteria.strip,
    c.criteria.element,
    c.skip.element,
    c.answer.element,
    actions,
    foot,
  );
  const hint = make(
    "p",
    { class: "cv-small sd-keys" },
    ...["0–3 score", "Tab next", "c comment", "e evidence", "s skip"].flatMap((text) => {
      const [key, does] = text.split(" ");
      return [make("kbd", { text: key }), ` ${does} `];
    }),
  );
  const right = make("div", { class: "sd-right" }, card, c.said.element, hint);
  root.append(
    make("div", { class: "sd-desk" }, c.claim.element, make("div", { class: "sd-main" }, c.evidence.element, right)),
  );
  const notices = createNotices(root);
  c.sheet = createSheet(root, { keys: SCORING_KEYS, label: "Scoring keys", note: SCORING_NOTE });
  root.append(said);

  function relay() {
    c.view = scoringView(c.data, outbox.pending());
  }

  function drawActions() {
    const isOpen = c.data.state === "open";
    const { sending, missing, given } = c.view;
    c.criteria.element.hidden = c.criteria.strip.hidden = !isOpen || ui.isSkipping;
    actions.hidden = ui.isSkipping;
    skip.hidden = undo.hidden = hint.hidden = !isOpen;
    skip.disabled = !c.view.isOpen;
    undo.disabled = !c.view.isOpen || !c.drafts.hasUndo();
    const isSent = { submit: "Submitting", skip: "Skipping" }[sending];
    const label = isSent
      ? `${isSent}${ui.isToGoOn ? ", then on" : ""}…`
      : isOpen
        ? "Submit"
        : ui.isGoing
          ? "Wait…"
          : c.data.onward;
    if (primary.firstChild?.textContent !== label)
      primary.replaceChildren(make("span", { text: label }), make("kbd", { text: "Enter" }));
    primary.disabled = isOpen ? !c.view.isOpen || missing.length > 0 : ui.isGoing;
    setText(place, isOpen ? placeText(c.view, c.data.criteria, ui.current) : "");
    place.dataset.given = String(given);
  }

  function drawReceipt() {
    const state = outbox.status();
    setText(receipt, receiptText(state, c.data.receipt));
    setText(note, c.data.note);
    receipt.dataset.state = receiptState(state);
    Object.assign(root.dataset, {
      waiting: String(state.waiting),
      version: c.data.version,
      state: c.data.state,
      given: String(c.view.given),
      current: ui.current ?? "",
    });
  }

  /** The outbox took over acts of a closed tab, or the connection changed. */
  function heard() {
    if (isAdding || !c.deeds) return;
    relay();
    if (!isFirst) c.draw();
  }

  // -- keys: before pan and zoom hears them
  root.addEventListener("keydown", (event) => {
    if (isTextField(event.target))
      event.stopImmediatePropagation(); // letters are text; Streamlit has shortcuts too
    else take(event);
  });

  function take(event) {
    if (event.altKey || event.isComposing || event.defaultPrevented) return;
    const isScore = event.target.matches?.("[role=radio]");
    const isButton = !isScore && event.target.matches?.("button, a, summary");
    if ((isButton && event.key === "Enter") || ((isButton || isScore) && event.key === " ")) return;
    if (!onKey(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // pan and zoom has keys of its own on the same element
  }

  function onKey(event) {
    const press = pressOf(event);
    if (ui.isSkipping && /^[1-9]$/.test(press)) {
      c.deeds.chooseReason(Number(press) - 1);
      return true;
    }
    if (ui.isSkipping && press === "Escape") {
      c.deeds.stopSkipping();
      return true;
    }
    const deed = SCORING_DEEDS.get(press);
    if (deed === undefined) return false;
    if (!event.repeat || SCORING_REPEATS.includes(deed)) c.deeds[deed](event);
    return true;
  }

  /** With nothing in focus the keys are meant for the desk: a click on bare ground must not make it deaf. */
  function onBare(event) {
    if (document.activeElement !== document.body || !root.isConnected || document.querySelector("[role=dialog]"))
      return;
    take(event);
    if (event.defaultPrevented && !isTextField(c.focused() ?? root) && !root.contains(c.focused())) c.focus();
  }
  addEventListener("keydown", onBare, { capture: true });

  host.querySelector("[data-desk]").append(root);
  c.evidence.begin();

  function begin() {
    const kept = c.data.criteria.some(({ key }) => key === c.drafts.current) ? c.drafts.current : null;
    const isOpen = c.data.state === "open";
    ui.current = isOpen
      ? c.view.missing.length > 0
        ? (kept ?? nextMissing(c.data.criteria, c.view, null))
        : null
      : firstShown();
    ui.evidence = Math.max(
      0,
      c.data.claim.evidence.findIndex(({ places }) => places.length > 0),
    );
    c.draw();
    focusWhenFree(root, () => c.data.takes_focus, c.focus);
  }

  /** Of what critics gave: where they are farthest from one's own. */
  const firstShown = () => (c.data.answer?.critics.length > 0 ? mostApart(c.data) : null);

  /** When it was handed in or given up: what came of it, in sight and in focus. */
  function turnOver(before) {
    if (before === c.data.state || c.data.state === "open") return;
    const held = document.activeElement === document.body || root.contains(c.focused());
    ui.current = firstShown();
    ui.isSkipping = false;
    c.drafts.clear();
    c.draw();
    if (held) c.focus();
    const { answer } = c.data;
    c.say(answer === null ? "" : `${answer.verdict}, ${answer.total}. ${answer.reason}`);
    if (ui.isToGoOn) c.tellNext();
    ui.isToGoOn = false;
  }

  function refuse({ act, message }) {
    const { id: _id, seq: _seq, kind, ...payload } = act;
    if (kind === "submit" || kind === "skip") ui.isToGoOn = false;
    if (kind === "comment") c.drafts.set({ comment: act.text }); // what was written is not lost
    if (kind === "skip") c.drafts.set({ reason: act.reason });
    const again = () => {
      c.act(kind, payload);
      c.draw();
    };
    const about = kind === "score" ? `${act.criterion.replaceAll("_", " ")}: ${act.value ?? "none"}` : kind;
    notices.add(`${message} (${about})`, [["Try again", again]]);
    c.say(message);
  }

  return {
    subject,
    receive(next, setStateValue) {
      const before = c.data.state;
      c.data = next;
      c.setState = setStateValue;
      ui.isGoing = false;
      const returned = outbox.receive({ ...next, send: (value) => setStateValue("outbox", value) });
      relay();
      if (isFirst) begin();
      isFirst = false;
      for (const refused of returned) refuse(refused);
      turnOver(before);
      c.draw();
    },
    close() {
      removeEventListener("keydown", onBare, { capture: true });
      outbox.close();
      c.evidence.close();
      root.remove();
    },
  };
}

export default keptOn(createScoringDesk);
