// The shell that every desk stands on: outbox, receipt, what was refused, keys and their sheet, what is said aloud.
//
// One desk lives on one shadow root; every rerun only hands it new data, so that zoom, focus, place and typed text
// survive. What is shown is the page's data with the acts laid over it that wait for their answer. Names are hostile:
// text goes in by textContent and value only.

import { make, pushButton, setText } from "./dom.js";
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

/** @param {DeskKind} kind */
function createFrame(host, first, kind) {
  const { subject } = first;
  const root = kind.root();
  const outbox = createOutbox({ subject: `${kind.queue} ${subject}`, send: () => {}, onChange: () => heard() });
  const said = make("p", { class: "pz-said", role: "status" });
  const table = commandsOf(kind.table);
  const undo = pushButton("Undo", () => c.commands.undo());
  const redo = pushButton("Redo", () => c.commands.redo());
  const help = pushButton("?", () => c.commands.help(), {
    class: "cv-square",
    title: "All keys (?)",
    "aria-label": "All keys",
  });
  let shown = ""; // the ids of the acts that are laid over the data
  let isAdding = false;
  let isFirst = true;
  let asked = 0;
  /** @type {(name: string, value: unknown) => void} */
  let setState = () => {};

  /** @type {Frame} */
  const c = {
    root,
    subject,
    data: first,
    view: kind.viewOf(first, []),
    commands: {},
    buttons: { undo, redo, help },
    receipt: make("p", { class: "cv-receipt" }),
    notices: createNotices(root),
    pending: () => outbox.pending(),
    isEditable: () => whyClosed(kind, c.data, c.view) === "",
    can: (step) =>
      c.isEditable() && ((step === "undo" ? c.data.can_undo : c.data.can_redo) || outbox.pending().length > 0),
    focused: () => host.activeElement,
    focus: () => desk.focus(),
    say(text) {
      said.textContent = "";
      said.textContent = text;
    },
    isClosed() {
      const why = whyClosed(kind, c.data, c.view);
      if (why !== "") c.say(why);
      return why !== "";
    },
    act(act, payload = {}) {
      if (c.isClosed()) return null;
      isAdding = true;
      const done = outbox.add(act, payload);
      isAdding = false;
      relay();
      c.draw();
      return done;
    },
    again(step) {
      if (!c.can(step)) c.say(`There is nothing to ${step}.`);
      else if (c.act(step) !== null) c.say(step === "undo" ? "Undone." : "Redone.");
    },
    ask(name) {
      asked = Math.max(asked + 1, Date.now());
      setState(name, asked);
    },
    draw() {
      desk.draw();
      drawReceipt();
    },
  };

  /** Lays the acts that wait over the data; false if they are those that lie there already. */
  function relay() {
    const acts = outbox.pending();
    const before = shown;
    shown = acts.map(({ id }) => id).join();
    c.view = kind.viewOf(c.data, acts);
    return shown !== before;
  }

  function drawReceipt() {
    const state = outbox.status();
    setText(c.receipt, receiptText(state, c.data.receipt));
    c.receipt.dataset.state = receiptState(state);
    root.dataset.waiting = String(state.waiting);
    root.dataset.version = String(c.data.version);
    root.dataset.editable = String(c.isEditable());
    undo.disabled = !c.can("undo");
    redo.disabled = !c.can("redo");
    desk.drawn?.();
  }

  /** The outbox took over acts of a closed tab, or the connection changed. */
  function heard() {
    if (isAdding || isFirst) return;
    if (relay()) c.draw();
    else drawReceipt();
  }

  /** @param {{act: Act, message?: string}} returned */
  function refuse({ act, message = "" }) {
    const told = desk.refused(act, message);
    if (told === null) return;
    const again = () => void c.act(act.kind, payloadOf(act));
    c.notices.add(`${message} (${told})`, [["Try again", again]]);
    c.say(message);
  }

  // -- keys: before pan and zoom hears them
  root.addEventListener("keydown", (event) => {
    if (!(kind.isTyping?.(c, event.target) ?? isTextField(event.target))) take(event);
    if (isTextField(event.target)) event.stopImmediatePropagation(); // letters are text; Streamlit has shortcuts too
  });

  function take(event) {
    if (event.altKey || event.isComposing || event.defaultPrevented || isOwnPress(event)) return;
    const press = pressOf(event);
    if (!desk.onPress?.(press) && !onCommand(press, event)) return;
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

  (host.querySelector("[data-desk]") ?? host).append(root);
  const sheet = createSheet(root, kind.table);
  /** @type {Desk} */
  const desk = kind.create(c);
  c.commands = { undo: () => c.again("undo"), redo: () => c.again("redo"), help: () => sheet.open(), ...desk.commands };
  root.append(said);

  return {
    subject,
    receive(next, setStateValue) {
      const before = c.data;
      c.data = next;
      setState = setStateValue;
      const returned = outbox.receive({ ...next, send: (value) => setStateValue("outbox", value) });
      relay();
      desk.receive?.(next);
      if (isFirst) desk.begin?.();
      for (const refused of returned) refuse(refused);
      desk.follow?.(before);
      c.draw();
      if (isFirst) focusWhenFree(root, () => c.data.takes_focus, c.focus);
      isFirst = false;
      desk.settled?.();
    },
    close() {
      removeEventListener("keydown", onBare, { capture: true });
      desk.close?.();
      outbox.close();
      root.remove();
    },
  };
}
