// The frame of every desk: outbox, receipt, refusals, keys and their sheet, announcements.
//
// One desk lives on one shadow root; every rerun only passes it new data, so that zoom, focus, place and typed text
// survive. It shows the page's data with the unanswered acts applied. Names may be hostile:
// text is set by textContent and value only.

import { make } from "./dom.js";
import { createDrawings } from "./drawings.js";
import { focusWhenFree } from "./keys.js";
import { mountOnce } from "./mounted.js";
import { createNotices } from "./notices.js";
import { createOutbox } from "./posting/outbox.js";
import { createPane } from "./pane.js";
import { createPosting } from "./posting/posting.js";

/** @typedef {import("./types.d.ts").Act} Act */
/** @typedef {import("./types.d.ts").Desk} Desk */
/** @typedef {import("./types.d.ts").DeskData} DeskData */
/** @typedef {import("./types.d.ts").DeskKind} DeskKind */
/** @typedef {import("./types.d.ts").Frame} Frame */
/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./types.d.ts").PaneKind} PaneKind */
/** @typedef {import("./types.d.ts").Returned} Returned */
/** @typedef {import("./types.d.ts").SetState} SetState */
/** @typedef {ReturnType<typeof createOutbox>} Outbox */

/** A desk's component: the frame with the parts of its kind.
 * @param {DeskKind} kind */
export const deskOn = (kind) => mountOnce((host, first) => createFrame(host, first, kind));

/** Reason why a desk cannot be changed now; "" if it can.
 * @param {Pick<DeskKind, "closed">} kind
 * @param {DeskData} data
 * @param {unknown} view */
export const whyClosed = ({ closed }, data, view) =>
  data.halted ? "This copy is stale. Nothing is changed." : closed(data, view);

/** An act without the fields of the outbox, to be repeated.
 * @param {Act} act */
export function payloadOf({ id: _id, seq: _seq, kind: _kind, ...payload }) {
  return payload;
}

/** Undo or redo, as an act like any other.
 * @param {Frame} c
 * @param {"undo" | "redo"} step */
function again(c, step) {
  if (!c.can(step)) c.say(`There is nothing to ${step}.`);
  else if (c.act(step) !== null) c.say(step === "undo" ? "Undone." : "Redone.");
}

/** @param {Frame} c
 * @param {Desk} desk
 * @param {Returned} returned */
function tellRefused(c, desk, { act, message = "" }) {
  const subject = desk.refused(act, message);
  if (subject === null) return;
  const remedies = desk.remedies?.(act) ?? [];
  c.notices.add(`${message} (${subject})`, [...remedies, ["Try again", () => void c.act(act.kind, payloadOf(act))]]);
  c.say(message);
}

/** True if `next` is older than `shown`: a page on its way does not undo a newer answer.
 * @type {(next: DeskData, shown: DeskData) => boolean} */
const isBehind = (next, shown) => next.tab === shown.tab && next.serial < shown.serial;

/** Shared object of the parts of a desk, before the kind of desk adds its own.
 * @param {Host} host
 * @param {DeskData} first
 * @param {DeskKind} kind
 * @param {Outbox} outbox
 * @param {Frame["drawings"]} drawings
 * @returns {Frame} */
function framed(host, first, kind, outbox, drawings) {
  const root = kind.root();
  const announcer = make("p", { class: "pz-said", role: "status" });
  let requests = 0;
  /** @type {any} */
  const c = {
    ...{ host, root, announcer, subject: first.subject, data: first, view: kind.viewOf(first, []) },
    ...{ commands: {}, panes: [], notices: createNotices(root), setState: () => {}, pending: outbox.pending },
    drawings,
    isEditable: () => whyClosed(kind, c.data, c.view) === "",
    can: (/** @type {"undo" | "redo"} */ step) =>
      c.isEditable() && (c.data[`can_${step}`] || outbox.pending().length > 0),
    focused: () => host.activeElement,
    say: (/** @type {string} */ text) => announcer.replaceChildren(text),
    isClosed() {
      const why = whyClosed(kind, c.data, c.view);
      if (why !== "") c.say(why);
      return why !== "";
    },
    again: (/** @type {"undo" | "redo"} */ step) => again(c, step),
    /** @param {string} name */
    ask(name) {
      requests = Math.max(requests + 1, Date.now());
      c.setState(name, requests);
    },
    /** @param {PaneKind} pane */
    addPane(pane) {
      const { buttons, receipt, sheet, ...made } = createPane(c, pane);
      c.panes.push(made);
      return { buttons, receipt, sheet };
    },
  };
  return c;
}

/** @param {Host} host
 * @param {DeskData} first
 * @param {DeskKind} kind
 * @returns {import("./types.d.ts").Component<DeskData>} */
function createFrame(host, first, kind) {
  const { subject } = first;
  const posting = createPosting(
    () => c,
    () => outbox,
    (data, ...answered) => take(data === null || isBehind(data, c.data) ? c.data : data, ...answered),
  );
  const outbox = createOutbox({
    subject: `${kind.queue} ${subject}`,
    makePoster: posting.makePoster,
    onChange: () => heard(),
  });
  let shown = ""; // the ids of the acts that are applied to the data
  let isAdding = false;
  let isFirst = true;

  const drawings = createDrawings();
  const c = framed(host, first, kind, outbox, drawings);
  Object.assign(c, {
    focus: () => desk.focus(),
    /** @param {string} act @param {object} [payload] */
    act(act, payload = {}) {
      if (c.isClosed()) return null;
      isAdding = true;
      const done = outbox.add(act, payload);
      isAdding = false;
      relay();
      desk.acted?.(done);
      c.draw();
      return done;
    },
    draw: () => drawings.together(() => drawings.ask(drawAll)),
  });

  function drawAll() {
    drawings.clear();
    desk.draw();
    drawStatus();
  }

  /** Apply the waiting acts to the data; return false if they are applied already. */
  function relay() {
    const [acts, before] = [outbox.pending(), shown];
    shown = acts.map(({ id }) => id).join();
    c.view = kind.viewOf(c.data, acts);
    return shown !== before;
  }

  function drawStatus() {
    for (const pane of c.panes) pane.show(outbox.status());
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

  /** Draw new data.
   * @param {DeskData} next
   * @param {string[]} [done]  ids of acts that it answers
   * @param {Returned[]} [refused]  rejected acts */
  function take(next, done = [], refused = []) {
    const before = c.data;
    c.data = next;
    outbox.halt(next.halted);
    relay();
    desk.receive?.(next);
    if (isFirst) desk.begin?.();
    drawings.together(() => {
      for (const returned of refused) tellRefused(c, desk, returned);
      desk.follow?.(before, done);
      c.draw();
    });
    if (isFirst) focusWhenFree(c.root, () => c.data.takes_focus, c.focus);
    isFirst = false;
    desk.settled?.();
  }

  (host.querySelector("[data-desk]") ?? host).append(c.root);
  if (kind.table) {
    const { table, hearsBare } = kind;
    /** @type {NonNullable<PaneKind["onPress"]>} */
    const onPress = (press, event) => desk.onPress?.(press, event) ?? false;
    Object.assign(c, c.addPane({ element: c.root, table, hearsBare, commands: () => c.commands, onPress }));
  }
  /** @type {Desk} */
  const desk = kind.create(c);
  c.commands = {
    undo: () => c.again("undo"),
    redo: () => c.again("redo"),
    help: () => c.sheet.open(),
    ...desk.commands,
  };
  c.root.append(c.announcer);

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
      for (const pane of c.panes) pane.stop();
      posting.stop();
      desk.close?.();
      outbox.close();
      c.root.remove();
    },
  };
}
