import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { createCommands as adjudicationCommands } from "../../../components/adjudication/commands.js";
import { KEY_TABLE as adjudicationKeys } from "../../../components/adjudication/key_table.js";
import { createEarlyAnswers } from "../../../components/desk/early_answers.js";
import { deskOn } from "../../../components/desk/frame.js";
import { createCommands as edgeListCommands } from "../../../components/edge_list/commands.js";
import { KEY_TABLE as edgeListKeys } from "../../../components/edge_list/key_table.js";
import { createCommands as tripletsCommands } from "../../../components/triplets/commands.js";
import { KEY_TABLE as tripletsKeys } from "../../../components/triplets/key_table.js";
import { openWindow, PlainElement } from "../browser.js";

const row = (command, presses, repeats = false) => ({
  section: "",
  keys: "",
  does: "",
  command,
  presses,
  repeats,
});
const DATA = {
  subject: "person/work",
  version: 3,
  saved_at: "2026-11-22T12:03:22",
  receipt: "",
  note: "",
  editable: true,
  can_undo: false,
  can_redo: false,
  halted: false,
  takes_focus: false,
  ledger: "one",
  answered: 0,
  early: false,
};
let open = [];
beforeEach(() => {
  openWindow();
  open = [];
});
afterEach(() => {
  for (const close of open) close();
});

/** A desk whose only act is a mark, on a page that can be rerun: {c, told, sent, rerun(data), press(key)}. */
function deskWith({ commands = {}, parts = {}, data = {} } = {}) {
  const told = { drawn: 0, marks: [], refused: [], followed: [], sent: [], asked: [] };
  /** @type {any} */
  let c = null;
  const host = new PlainElement();
  const mount = deskOn({
    queue: "marks",
    table: {
      label: "Keys",
      note: "",
      caption: [],
      keys: [row("mark", ["m"]), row("step", ["n"], true), row("undo", ["u"])],
    },
    root: () => new PlainElement(),
    viewOf: (_data, acts) => acts.map(({ text }) => text),
    closed: ({ editable }) => (editable ? "" : "This work is closed."),
    create(frame) {
      c = frame;
      return {
        commands: {
          mark: () => c.act("mark", { text: "a" }),
          step: () => told.marks.push("step"),
          ...commands,
        },
        focus: () => {},
        draw: () => void (told.drawn += 1),
        follow: (before) => told.followed.push(before.version),
        refused(act) {
          told.refused.push(act.text);
          return `mark ${act.text}`;
        },
        ...parts,
      };
    },
  });
  const setStateValue = (name, value) => (name === "outbox" ? told.sent.push(value) : told.asked.push([name, value]));
  const rerun = (more = {}) => {
    const close = mount({ parentElement: host, data: { ...DATA, ...data, ...more }, setStateValue });
    host.isGone = close;
  };
  rerun();
  const root = c.root;
  open.push(() => {
    Object.defineProperty(host, "isConnected", { value: false });
    host.isGone();
  });
  const press = (key, held = {}) => {
    const event = new Event("keydown", { cancelable: true });
    const plain = { key, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, repeat: false };
    for (const [name, value] of Object.entries({ ...plain, ...held })) Object.defineProperty(event, name, { value });
    root.dispatchEvent(event);
    return event.defaultPrevented;
  };
  return { c, told, rerun, press };
}

/** A door that answers each desk with what `said` has, in turn (null: nothing to say; "shut": it goes wrong), one turn
 * later, and what it was asked for. */
function openDoor(...said) {
  const asked = [];
  globalThis.location = /** @type {any} */ ({ origin: "http://study" });
  globalThis.XMLHttpRequest = /** @type {any} */ (
    class {
      status = 0;
      response = null;
      onloadend = () => {};
      open(_method, address) {
        asked.push(address);
      }
      send() {
        const next = said.shift() ?? null;
        if (next !== "shut") [this.status, this.response] = next === null ? [204, null] : [200, next];
        queueMicrotask(() => this.onloadend());
      }
      abort() {}
    }
  );
  return asked;
}

const turns = async (n = 5) => {
  for (let k = 0; k < n; k += 1) await Promise.resolve();
};

test("an act is laid over the data and drawn at once, and sent until it is answered", () => {
  const { c, told, rerun } = deskWith();
  const before = told.drawn;
  const act = c.act("mark", { text: "a" });
  assert.deepEqual([c.view, told.drawn, c.receipt.textContent], [["a"], before + 1, "Saving…"]);
  rerun({ acked: [act.id], version: 4 });
  assert.deepEqual([c.view, c.receipt.textContent, c.root.dataset.version], [[], "Saved 12:03:22", "4"]);
});

test("one desk lives on one root: a rerun hands it new data, and says what it was before", () => {
  const { c, told, rerun } = deskWith();
  rerun({ version: 5 });
  assert.equal(c.data.version, 5);
  assert.deepEqual(told.followed, [3, 3]);
});

test("nothing is done to a copy that is stale or closed, and it is said why", () => {
  const stale = deskWith({ data: { halted: true } });
  assert.equal(stale.c.act("mark", { text: "a" }), null);
  assert.deepEqual(stale.c.pending(), []);
  assert.ok(stale.c.root.texts().includes("This copy is stale. Nothing is changed."));
  const closed = deskWith({ data: { subject: "person/other", editable: false } });
  assert.equal(closed.c.isClosed(), true);
  assert.ok(closed.c.root.texts().includes("This work is closed."));
});

test("a refused act is told with its reason, and can be tried again", () => {
  const { c, told, rerun } = deskWith();
  const act = c.act("mark", { text: "a" });
  rerun({ refused: { [act.id]: "Too long." } });
  assert.deepEqual([told.refused, c.pending()], [["a"], []]);
  const [card] = c.notices.element.children;
  assert.deepEqual(card.texts(), ["Too long. (mark a)", "Try again", "Dismiss"]);
  card.children[1].children[0].dispatchEvent(new Event("click"));
  const [again] = c.pending();
  assert.deepEqual([again.kind, again.text, again.id === act.id], ["mark", "a", false]);
  assert.deepEqual(c.notices.element.children, []);
});

test("a key does what the table says, once while it is held unless it repeats", () => {
  const { c, told, press } = deskWith();
  assert.equal(press("m"), true);
  assert.equal(press("m", { repeat: true }), true);
  assert.equal(c.pending().length, 1);
  press("n");
  press("n", { repeat: true });
  assert.deepEqual(told.marks, ["step", "step"]);
  assert.deepEqual([press("q"), press("m", { altKey: true }), press("m", { ctrlKey: true })], [false, false, false]);
});

test("keys of a moment come before those of the table", () => {
  const { c, press } = deskWith({ parts: { onPress: (name) => name === "m" } });
  assert.deepEqual([press("m"), c.pending()], [true, []]);
});

test("undo is an act where something can be undone, and else says so", () => {
  const { c, press } = deskWith();
  press("u");
  assert.deepEqual(c.pending(), []);
  assert.ok(c.root.texts().includes("There is nothing to undo."));
  assert.equal(c.buttons.undo.disabled, true);
  press("m");
  press("u");
  assert.deepEqual(
    c.pending().map(({ kind }) => kind),
    ["mark", "undo"],
  );
});

test("a wish that is no act grows, so that the same wish twice is heard twice", () => {
  const { c, told } = deskWith();
  c.ask("next");
  c.ask("next");
  const [[name, first], [, second]] = told.asked;
  assert.ok(name === "next" && second > first);
});

const ROOMS = {
  adjudication: [adjudicationKeys, adjudicationCommands],
  edgeList: [edgeListKeys, edgeListCommands],
  triplets: [tripletsKeys, tripletsCommands],
};
for (const [room, [table, createCommands]] of Object.entries(ROOMS)) {
  test(`${room}: every command of the table of keys is there`, () => {
    const ofFrame = ["undo", "redo", "help"];
    const own = createCommands({ ui: {} });
    for (const { command } of table.keys)
      assert.ok(command === "" || ofFrame.includes(command) || typeof own[command] === "function", command);
  });
}

test("what was sent is answered at the door, and what its page had on the way comes too late", async () => {
  const { c, told, rerun } = deskWith({ data: { early: true } });
  /** @type {any} */
  const answer = { ...DATA, early: true, version: 4, saved_at: "2026-11-22T12:03:23", answered: 1 };
  const asked = openDoor(answer);
  const act = c.act("mark", { text: "a" }, { isLast: true });
  answer.acked = [act.id];
  await turns();
  assert.deepEqual(asked, [`http://study/desk/${told.sent[0].tab}?act=${act.id}`]);
  assert.deepEqual([c.view, c.pending(), c.receipt.textContent, c.data.version], [[], [], "Saved 12:03:23", 4]);
  rerun({ version: 3, saved_at: "2026-11-22T12:03:22" }); // drawn before the act
  assert.deepEqual([c.receipt.textContent, c.data.version], ["Saved 12:03:23", 4]);
  rerun({ ...answer, note: "of the page" });
  assert.deepEqual([c.data.note, c.data.version], ["of the page", 4]);
  rerun({ ledger: "another", version: 3 }); // the server began anew
  assert.equal(c.data.version, 3);
});

test("an early answer that the page overtook, or about other work, is not drawn", async () => {
  for (const late of [
    { version: 9, answered: 1 },
    { version: 9, answered: 5, subject: "person/other" },
    { version: 9, answered: 5, ledger: "another" },
  ]) {
    const { c, rerun } = deskWith({ data: { early: true, answered: 1 } });
    openDoor({ ...DATA, early: true, ...late });
    c.act("mark", { text: "a" }, { isLast: true });
    rerun({ version: 4 });
    await turns();
    assert.equal(c.data.version, 4);
  }
});

test("a door that is shut, or has nothing to say, leaves the answer to the page", async () => {
  const { c, rerun } = deskWith({ data: { early: true } });
  const asked = openDoor("shut", null);
  const first = c.act("mark", { text: "a" }, { isLast: true });
  await turns();
  assert.deepEqual([asked.length, c.view], [1, ["a"]]);
  rerun({ acked: [first.id], version: 4, answered: 1 });
  assert.deepEqual([c.view, c.data.version], [[], 4]);
});

test("acts that are sent while one is asked about are asked about next, the newest of them", async () => {
  const asked = openDoor();
  const early = createEarlyAnswers("tab", () => {});
  for (const id of ["1", "2", "3"]) early.ask({ tab: "tab", attempt: 0, acts: [{ id, seq: 1, kind: "mark" }] });
  await turns();
  assert.deepEqual(asked, ["http://study/desk/tab?act=1", "http://study/desk/tab?act=3"]);
  early.ask({ tab: "tab", attempt: 0, acts: [{ id: "4", seq: 1, kind: "mark" }] });
  early.stop();
  await turns();
  assert.equal(asked.length, 3);
});

test("where there is no door nobody asks", async () => {
  const asked = openDoor();
  deskWith().c.act("mark", { text: "a" }, { isLast: true });
  await turns();
  assert.deepEqual(asked, []);
});
