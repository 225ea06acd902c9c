// The adjudicator's desk. One desk lives on one shadow root; every rerun only hands it new data, so that zoom, focus,
// place and typed text survive. Names are hostile: text goes in by textContent and value only.

import { arrowText } from "../canvas/paint.js";
import { createNotices } from "../canvas/parts.js";
import { make, setText } from "../desk/dom.js";
import { createSheet, deedsOf, focusWhenFree, pressOf, receiptState, receiptText } from "../desk/keys.js";
import { keptOn } from "../desk/mounted.js";
import { createOutbox } from "../desk/outbox.js";
import { createCard } from "./card.js";
import { createDeeds } from "./commands.js";
import { createDrafts, nameChoice, whyOfItem } from "./drafts.js";
import { createDeskFigure } from "./figure.js";
import { RULING_KEYS, RULING_NOTE } from "./key_table.js";
import { createList } from "./list.js";
import { createOwn } from "./own.js";
import { changedKey, nextWaiting, viewOf, whyOf } from "./view.js";
import { itemText, placeText } from "./words.js";

const RULING_DEEDS = deedsOf(RULING_KEYS);
const REPEATED = ["next", "previous", "zoom", "pan"];
const isTyping = (element) => element.matches?.("textarea, select, input:not([type=checkbox])") ?? false;

function createDesk(host, first) {
  const subject = first.subject;
  const root = make("div", { class: "pz-frame cv rd" });
  /** What is asked about, which are listed, and what waits for an answer.
   * @type {{current: string | null, filter: string, whole: boolean, picksReason: boolean, isSettling: boolean, wantsFinish: boolean, wasBefore: any}} */
  const ui = {
    current: null,
    filter: "waiting",
    whole: false,
    picksReason: false,
    isSettling: false,
    wantsFinish: false,
    wasBefore: null,
  };
  const c = { root, ui, data: first, view: viewOf(first, []), drafts: createDrafts(subject) };
  const outbox = createOutbox({ subject: `ruling ${subject}`, send: () => {}, onChange: () => heard() });
  const said = make("p", { class: "pz-said", role: "status" });
  const receipt = make("p", { class: "cv-receipt" });
  const note = make("p", { class: "cv-small rd-note" });
  let isAdding = false;
  let isFirst = true;
  let finishN = 0;

  Object.assign(c, {
    isEditable: () => c.data.editable && !c.data.halted,
    can: (kind) =>
      c.isEditable() && ((kind === "undo" ? c.data.can_undo : c.data.can_redo) || outbox.pending().length > 0),
    current: () => (ui.current === null ? null : (c.view.byKey.get(ui.current) ?? null)),
    choiceOf: (item) => nameChoice(item, c.drafts.of(item.key), c.data.classes),
    whyOf: (item) => whyOfItem(item, c.drafts.of(item.key)),
    wording: (name) => wordings.get(name) ?? name,
    focused: () => host.activeElement,
    focusCard: () => c.card.focus(),
    say(text) {
      said.textContent = "";
      said.textContent = text;
    },
    /** The items that next and previous walk through: those that are listed, or all if the current one is not there. */
    walk() {
      const listed = c.list.shown();
      const isListed = listed.some(({ key }) => key === ui.current);
      return isListed || (ui.current === null && listed.length > 0)
        ? listed
        : c.view.items.filter(({ isQuiet }) => !isQuiet);
    },
    act(kind, payload) {
      isAdding = true;
      const act = outbox.add(kind, payload);
      isAdding = false;
      relay();
      return act;
    },
    go(key) {
      if (ui.current !== null && ui.current !== key) c.deeds.settleWhy(ui.current);
      Object.assign(ui, { current: key, picksReason: false, isSettling: false });
      c.drafts.setPlace(key);
      c.draw();
      const item = c.current();
      if (item !== null)
        c.say(`${placeText(item, c.view.items)}: ${item.found?.sentence ?? itemText(item, c.wording)}`);
    },
    /** After a ruling: the next that waits, once it is known what waits. */
    goOn(key) {
      const next = nextWaiting(c.view.items, key);
      const isKnown = !c.view.isUnsettled || next?.type === "name";
      if (isKnown) return void c.go(next?.key ?? null);
      c.go(null);
      ui.isSettling = true;
      c.draw();
    },
    /** Asks the page to finish, once everything that was ruled is stored. */
    tellFinish() {
      if (!ui.wantsFinish || outbox.pending().length > 0) return;
      ui.wantsFinish = false;
      finishN = Math.max(finishN + 1, Date.now());
      c.setState("finish", finishN);
    },
    draw() {
      c.list.draw();
      c.card.draw();
      c.figure.draw();
      c.own.draw();
      drawReceipt();
    },
  });

  let wordings = new Map();
  c.figure = createDeskFigure(c, first);
  c.card = createCard(c);
  c.list = createList(c);
  c.own = createOwn(c);
  c.deeds = createDeeds(c);
  const right = make("div", { class: "rd-right" }, c.card.element, c.list.element, c.own.element);
  root.append(make("div", { class: "rd-main" }, c.figure.element, right));
  c.figure.element.append(make("div", { class: "rd-told" }, receipt, note));
  const notices = createNotices(root);
  c.sheet = createSheet(root, { keys: RULING_KEYS, label: "Adjudication keys", note: RULING_NOTE });
  root.append(said);

  function relay() {
    c.view = viewOf(c.data, outbox.pending());
  }

  function drawReceipt() {
    const state = outbox.status();
    setText(receipt, receiptText(state, c.data.receipt));
    setText(note, c.data.note);
    receipt.dataset.state = receiptState(state);
    root.dataset.waiting = String(state.waiting);
    root.dataset.version = c.data.version;
    root.dataset.editable = String(c.isEditable());
    root.dataset.left = String(c.view.left);
  }

  /** The outbox took over acts of a closed tab, or the connection changed. */
  function heard() {
    if (isAdding || !c.deeds) return;
    relay();
    if (!isFirst) c.draw();
  }

  // -- keys: before pan and zoom hears them
  root.addEventListener("keydown", (event) => {
    if (isTyping(event.target))
      event.stopImmediatePropagation(); // letters are text; Streamlit has shortcuts too
    else take(event);
  });

  function take(event) {
    if (event.altKey || event.isComposing || event.defaultPrevented) return;
    const isButton = event.target.matches?.("button, summary, input");
    if (isButton && (event.key === "Enter" || event.key === " ")) return;
    if (!onKey(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // pan and zoom has keys of its own on the same element
  }

  function onKey(event) {
    const press = pressOf(event);
    if (ui.picksReason && /^[1-9]$/.test(press)) {
      c.deeds.toggleReason(Number(press) - 1);
      return true;
    }
    if (ui.picksReason && press === "Escape") {
      c.deeds.reason();
      return true;
    }
    const deed = RULING_DEEDS.get(press);
    if (deed === undefined) return false;
    if (!event.repeat || REPEATED.includes(deed)) c.deeds[deed](event);
    return true;
  }

  /** With nothing in focus but what the desk lies in, keys are meant for it: a click on bare ground must not make it deaf. */
  function onBare(event) {
    const isAround =
      document.activeElement?.contains(root.getRootNode().host ?? root) && !root.contains(event.composedPath()[0]);
    if (!isAround || !root.isConnected || document.querySelector("[role=dialog]")) return;
    take(event);
    if (event.defaultPrevented) c.focusCard();
  }
  addEventListener("keydown", onBare, { capture: true });

  host.querySelector("[data-desk]").append(root);
  c.figure.begin();

  function begin() {
    const kept = c.drafts.place;
    const start = c.view.byKey.get(kept) ?? nextWaiting(c.view.items, null) ?? null;
    if (c.view.left === 0) ui.filter = "all";
    ui.current = start?.key ?? null;
    c.draw();
    focusWhenFree(root, () => c.data.takes_focus, c.focusCard);
  }

  /** What is shown after the page's answer: an undone ruling, the next question, or where one was. */
  function follow() {
    if (c.view.isUnsettled) return;
    if (ui.wasBefore !== null) {
      const changed = changedKey(ui.wasBefore, c.data);
      ui.wasBefore = null;
      if (changed !== null && c.view.byKey.has(changed)) return void ((ui.current = changed), (ui.isSettling = false));
    }
    const isGone = ui.current !== null && c.current() === null;
    if (!ui.isSettling && !isGone) return;
    ui.isSettling = false;
    ui.current = nextWaiting(c.view.items, null)?.key ?? null;
    c.drafts.setPlace(ui.current);
  }

  function refuse({ act, message }) {
    const { id: _id, seq: _seq, kind, ...payload } = act;
    const key = act.key ?? c.data.names.find(({ name }) => name === act.name)?.key ?? null;
    if (key !== null && act.reasons !== undefined && c.view.byKey.has(key)) {
      c.drafts.change(key, whyOf(act)); // what was written about it is not lost with the ruling
      ui.current = key;
    }
    const again = () => {
      c.act(kind, payload);
      c.draw();
    };
    notices.add(
      `${message} (${[kind.replaceAll("_", " "), act.name ?? (act.source ? arrowText(act) : "")].filter(Boolean).join(" ")})`,
      [["Try again", again]],
    );
    c.say(message);
  }

  return {
    subject,
    receive(next, setStateValue) {
      c.data = next;
      c.setState = setStateValue;
      wordings = new Map(next.nodes.map(({ name, wording }) => [name, wording]));
      const returned = outbox.receive({ ...next, send: (value) => setStateValue("outbox", value) });
      relay();
      c.figure.receive(next);
      if (!next.editable && ui.filter === "waiting") ui.filter = "all"; // nothing waits where nothing may be ruled
      if (isFirst) begin();
      isFirst = false;
      for (const refused of returned) refuse(refused);
      follow();
      c.draw();
      c.tellFinish();
    },
    close() {
      removeEventListener("keydown", onBare, { capture: true });
      outbox.close();
      c.figure.close();
      root.remove();
    },
  };
}

export default keptOn(createDesk);
