// The shell that every desk stands on: outbox, receipt, what was refused, keys and their sheet, what is said aloud.
//
// One desk lives on one shadow root; every rerun only hands it new data, so that zoom, focus, place and typed text
// survive. What is shown is the page's data with the acts laid over it that wait for their answer. Names are hostile:
// text goes in by textContent and value only.

import { make, pushButton, setText } from "./dom.js";
import { createEarlyAnswers, isBehind } from "./early_answers.js";
import {
  commandsOf,
  createSheet,
  focusWhenFree,
  isOwnPress,
  isTextField,
  pressOf,
  receiptState,
  receiptText,
} from "./keys.js";
import { keptOn } from "./mounted.js";
import { createNotices } from "./notices.js";
import { createOutbox } from "./outbox.js";
import { createPosting } from "./posting.js";

/** @typedef {import("./types.d.ts").Act} Act */
/** @typedef {import("./types.d.ts").Desk} Desk */
/** @typedef {import("./types.d.ts").DeskKind} DeskKind */
/** @typedef {import("./types.d.ts").Frame} Frame */

/** A desk's component: the frame, and on it what the kind of desk makes.
 * @param {DeskKind} kind */
export const deskOn = (kind) => keptOn((host, first) => createFrame(host, first, kind));

/** Why nothing may be changed on a desk now; "" if it may.
 * @param {DeskKind} kind */
export const whyClosed = ({ closed }, data, view) =>
  data.halted ? "This copy is stale. Nothing is changed." : closed(data, view);

/** An act without what the outbox gave it: to be done again. */
export function payloadOf({ id: _id, seq: _seq, kind: _kind, ...payload }) {
  return payload;
}

function createButtons(run) {
  return {
    undo: pushButton("Undo", () => run("undo")),
    redo: pushButton("Redo", () => run("redo")),
    help: pushButton("?", () => run("help"), { class: "cv-square", title: "All keys (?)", "aria-label": "All keys" }),
  };
}

/** Keys of the desk `c`: {stop()}. Called before anything of the desk is made, so that pan and zoom hears them after.
 * @param {Frame} c
 * @param {DeskKind} kind
 * @param {any} host  the shadow root it lives on
 * @param {(press: string, event: KeyboardEvent) => boolean} isTaken  by a key of the moment */
function listenToKeys(c, kind, host, isTaken) {
  const { root } = c;
  const table = commandsOf(kind.table);

  root.addEventListener("keydown", (event) => {
    if (!(kind.isTyping?.(c, event.target) ?? isTextField(event.target))) take(event);
    if (isTextField(event.target)) event.stopImmediatePropagation(); // letters are text; Streamlit has shortcuts too
  });

  function take(event) {
    if (event.altKey || event.isComposing || event.defaultPrevented || isOwnPress(event)) return;
    const press = pressOf(event);
    if (!isTaken(press, event) && !onCommand(press, event)) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // pan and zoom has keys of its own on the same element
  }

  function onCommand(press, event) {
    const row = table.get(press);
    if (row === undefined || !(kind.hears?.(c, row.command, event) ?? true)) return false;
    if (!event.repeat || row.repeats) c.commands[row.command](event);
    return true;
  }

  /** With nothing in focus but what the desk lies in, keys are meant for it: a click on bare ground must not make it deaf. */
  function onBare(event) {
    const isAround = document.activeElement?.contains(host.host ?? host) && !root.contains(event.composedPath()[0]);
    if (!isAround || !root.isConnected || document.querySelector("[role=dialog]")) return;
    take(event);
    if (event.defaultPrevented && !root.contains(c.focused())) c.focus();
  }
  if (kind.hearsBare) addEventListener("keydown", onBare, { capture: true });
  return { stop: () => removeEventListener("keydown", onBare, { capture: true }) };
}

/** How it stands with what waits: the receipt, what may be undone, and marks that styles and tests read.
 * @param {Frame} c
 * @param {import("./types.d.ts").OutboxStatus} state */
function showStatus(c, state) {
  const { root, data, receipt, buttons } = c;
  setText(receipt, receiptText(state, data));
  receipt.dataset.state = receiptState(state);
  root.dataset.waiting = String(state.waiting);
  root.dataset.version = String(data.version);
  root.dataset.editable = String(c.isEditable());
  buttons.undo.disabled = !c.can("undo");
  buttons.redo.disabled = !c.can("redo");
}

/** Undo or redo, as an act like any other.
 * @param {Frame} c
 * @param {"undo" | "redo"} step */
function again(c, step) {
  if (!c.can(step)) c.say(`There is nothing to ${step}.`);
  else if (c.act(step) !== null) c.say(step === "undo" ? "Undone." : "Redone.");
}

/** Hands acts to the page, and asks for the answer ahead of it where there is a door.
 * @param {Frame} c
 * @param {{ask(outgoing: import("./types.d.ts").Outgoing): void}} early
 * @param {import("./types.d.ts").Outgoing} outgoing */
function send(c, early, outgoing) {
  if (c.data.early) early.ask(outgoing);
  c.setState("outbox", outgoing);
}

/** @param {Frame} c
 * @param {Desk} desk
 * @param {{act: Act, message?: string}} returned */
function tellRefused(c, desk, { act, message = "" }) {
  const told = desk.refused(act, message);
  if (told === null) return;
  const remedies = desk.remedies?.(act) ?? [];
  c.notices.add(`${message} (${told})`, [...remedies, ["Try again", () => void c.act(act.kind, payloadOf(act))]]);
  c.say(message);
}

/** @param {DeskKind} kind */
function createFrame(host, first, kind) {
  const { subject } = first;
  const root = kind.root();
  const posting = createPosting(
    () => c,
    () => outbox,
    (data, refused) => take(data, refused),
  );
  const outbox = createOutbox({
    subject: `${kind.queue} ${subject}`,
    send: () => {},
    onChange: () => heard(),
    courier: first.tab === undefined ? undefined : posting.makePoster,
  });
  const said = make("p", { class: "pz-said", role: "status" });
  let shown = ""; // the ids of the acts that are laid over the data
  let isAdding = false;
  let isFirst = true;
  let asked = 0;
  const early = createEarlyAnswers(outbox.tab, (data) => {
    if (data.subject === subject && isBehind(c.data, data)) take(data);
  });

  /** @type {Frame} */
  const c = {
    host,
    root,
    subject,
    data: first,
    view: kind.viewOf(first, []),
    commands: {},
    buttons: createButtons((name) => c.commands[name]()),
    receipt: make("p", { class: "cv-receipt" }),
    notices: createNotices(root),
    sheet: createSheet(root, kind.table),
    setState: () => {},
    pending: outbox.pending,
    isEditable: () => whyClosed(kind, c.data, c.view) === "",
    can: (step) => c.isEditable() && (c.data[`can_${step}`] || outbox.pending().length > 0),
    focused: () => host.activeElement,
    focus: () => desk.focus(),
    say: (text) => said.replaceChildren(text),
    isClosed() {
      const why = whyClosed(kind, c.data, c.view);
      if (why !== "") c.say(why);
      return why !== "";
    },
    act(act, payload = {}, how = {}) {
      if (c.isClosed()) return null;
      isAdding = true;
      const done = outbox.add(act, payload, how);
      isAdding = false;
      relay();
      desk.acted?.(done);
      c.draw();
      return done;
    },
    again: (step) => again(c, step),
    ask(name) {
      asked = Math.max(asked + 1, Date.now());
      c.setState(name, asked);
    },
    draw() {
      desk.draw();
      drawStatus();
    },
  };

  /** Lays the acts that wait over the data; false if they are those that lie there already. */
  function relay() {
    const [acts, before] = [outbox.pending(), shown];
    shown = acts.map(({ id }) => id).join();
    c.view = kind.viewOf(c.data, acts);
    return shown !== before;
  }

  function drawStatus() {
    showStatus(c, outbox.status());
    posting.tellUnsaved();
    desk.drawn?.();
  }

  /** The outbox took over acts of a closed tab, or the connection changed. */
  function heard() {
    if (isAdding || isFirst) return;
    if (!relay()) return void drawStatus();
    desk.relaid?.();
    c.draw();
  }

  /** Draws new data, and with it what the outbox is told. */
  function take(next, answered = []) {
    const before = c.data;
    c.data = next;
    const returned = [...answered, ...outbox.receive({ ...next, send: (outgoing) => send(c, early, outgoing) })];
    relay();
    desk.receive?.(next);
    if (isFirst) desk.begin?.();
    for (const refused of returned) tellRefused(c, desk, refused);
    desk.follow?.(before);
    c.draw();
    if (isFirst) focusWhenFree(root, () => c.data.takes_focus, c.focus);
    isFirst = false;
    desk.settled?.();
  }

  (host.querySelector("[data-desk]") ?? host).append(root);
  const keys = listenToKeys(c, kind, host, (press, event) => desk.onPress?.(press, event) ?? false);
  /** @type {Desk} */
  const desk = kind.create(c);
  c.commands = { undo: () => c.again("undo"), redo: () => c.again("redo"), help: c.sheet.open, ...desk.commands };
  root.append(said);

  return {
    subject,
    receive(next, setStateValue) {
      c.setState = setStateValue;
      if (isBehind(next, c.data)) return;
      const isMoved = next.tab !== c.data.tab;
      take(next);
      if (isMoved) posting.retry();
    },
    close() {
      keys.stop();
      early.stop();
      posting.stop();
      desk.close?.();
      outbox.close();
      root.remove();
    },
  };
}
