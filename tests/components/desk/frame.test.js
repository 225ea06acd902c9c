import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { createCommands as adjudicationCommands } from "../../../components/adjudication/commands.js";
import { KEY_TABLE as adjudicationKeys } from "../../../components/adjudication/key_table.js";
import { deskOn } from "../../../components/desk/frame.js";
import { createCommands as edgeListCommands } from "../../../components/edge_list/commands.js";
import { KEY_TABLE as edgeListKeys } from "../../../components/edge_list/key_table.js";
import { createCommands as tripletsCommands } from "../../../components/triplets/commands.js";
import { KEY_TABLE as tripletsKeys } from "../../../components/triplets/key_table.js";
import { openWindow, PlainElement } from "../browser.js";
import { serving, until } from "../serving.js";

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
  tab: "tab-1",
  csrf: "token",
  serial: 1,
};
let open = [];
beforeEach(() => {
  openWindow();
  globalThis.location = /** @type {any} */ ({ origin: "http://127.0.0.1:9" }); // where nobody answers
  open = [];
});
afterEach(async () => {
  for (const close of open) await close();
});

/** A server that answers posted acts with what `answer(acts)` returns. */
async function served(answer) {
  const { asked, close } = await serving((_count, acts) => answer(acts));
  open.push(close);
  return asked;
}
const idsOf = (acts) => acts.map(({ id }) => id);
const done = (acts, data) => [200, { done: idsOf(acts), refused: {}, data: { ...DATA, serial: 2, ...data } }];

/** A desk whose only act is a mark, on a page that can be rerun: {c, told, sent, rerun(data), press(key)}. */
function deskWith({ commands = {}, parts = {}, data = {} } = {}) {
  const told = { drawn: 0, marks: [], refused: [], followed: [], asked: [] };
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
        follow: (before, answered) => told.followed.push([before.version, ...answered]),
        refused(act) {
          told.refused.push(act.text);
          return `mark ${act.text}`;
        },
        ...parts,
      };
    },
  });
  const setStateValue = (name, value) => void told.asked.push([name, value]);
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

test("an act is laid over the data and drawn at once, and posted until it is answered", async () => {
  const asked = await served((acts) => done(acts, { version: 4 }));
  const { c, told } = deskWith();
  const before = told.drawn;
  const act = c.act("mark", { text: "a" });
  assert.deepEqual([c.view, told.drawn, c.receipt.textContent], [["a"], before + 1, "Saving…"]);
  await until(() => c.view.length === 0);
  assert.deepEqual(asked, [{ path: "/desk/tab-1", token: "token", ids: [act.id] }]);
  assert.deepEqual([c.receipt.textContent, c.root.dataset.version], ["Saved 12:03:22", "4"]);
  assert.deepEqual(told.followed.at(-1), [3, act.id]);
});

test("one desk lives on one root: a rerun hands it new data, and says what it was before", () => {
  const { c, told, rerun } = deskWith();
  rerun({ version: 5 });
  assert.equal(c.data.version, 5);
  assert.deepEqual(told.followed, [[3], [3]]);
});

test("what a page had on its way is not drawn over a newer answer, and the page of a new tab is", async () => {
  await served((acts) => done(acts, { version: 4 }));
  const { c, rerun } = deskWith();
  c.act("mark", { text: "a" });
  await until(() => c.data.version === 4);
  rerun({ version: 3 }); // drawn before the act
  assert.equal(c.data.version, 4);
  rerun({ version: 4, serial: 2, note: "of the page" });
  assert.equal(c.data.note, "of the page");
  rerun({ tab: "tab-2", serial: 0, version: 3 }); // the server was restarted
  assert.equal(c.data.version, 3);
});

test("an answer that a newer page overtook is not drawn, and its acts are answered all the same", async () => {
  const { c, rerun } = deskWith();
  await served((acts) => {
    rerun({ serial: 9, version: 9 });
    return done(acts, { version: 4 });
  });
  c.act("mark", { text: "a" });
  await until(() => c.pending().length === 0);
  assert.equal(c.data.version, 9);
});

test("after an answer the page is drawn again soon, and at once where what may be done is another", async () => {
  await served((acts) => done(acts, { editable: acts[0].text !== "last" }));
  const { c, told } = deskWith();
  const redraws = () => told.asked.filter(([name]) => name === "answered").length;
  c.act("mark", { text: "a" });
  await until(() => c.pending().length === 0);
  assert.equal(redraws(), 0);
  await until(() => redraws() === 1);
  c.act("mark", { text: "last" });
  await until(() => c.pending().length === 0);
  assert.equal(redraws(), 2);
});

test("a server that does not know the tab is asked for its page, and then for the answer", async () => {
  const asked = await served((acts) => (asked.length === 1 ? [404, ""] : done(acts, {})));
  const { c, rerun } = deskWith();
  globalThis.addEventListener("popstate", () => rerun({ tab: "tab-2", serial: 0 })); // as Streamlit draws the whole page on it
  c.act("mark", { text: "a" });
  await until(() => c.pending().length === 0);
  assert.deepEqual(
    asked.map(({ path }) => path),
    ["/desk/tab-1", "/desk/tab-2"],
  );
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

test("a refused act is told with its reason, and can be tried again", async () => {
  await served(([{ id }]) => [200, { done: [], refused: { [id]: "Too long." }, data: { ...DATA, serial: 2 } }]);
  const { c, told } = deskWith();
  const act = c.act("mark", { text: "a" });
  await until(() => c.pending().length === 0);
  assert.deepEqual(told.refused, ["a"]);
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
