// Every key of the desk, pressed: what it does is what its row says. The parts that draw are stood in for; what is on a
// page is tried in Chromium.

import assert from "node:assert/strict";
import { test } from "node:test";

import { commandsOf } from "../../../components/desk/keys.js";
import { createCommands } from "../../../components/verdicts/commands.js";
import { createHistory } from "../../../components/verdicts/history.js";
import { KEY_TABLE } from "../../../components/verdicts/key_table.js";
import { answers, equip } from "../../../components/verdicts/shared.js";
import { viewOf } from "../../../components/verdicts/view.js";

const choices = (...labels) => labels.map((label) => ({ label, word: label, told: "" }));
const field = (key, labels) => ({ key, title: key, choices: choices(...labels), settles: [] });
const FIELDS = [field("item.presence_label", ["A", "B", "C", "D"]), field("item.directionality_label", ["A", "B"])];
const BOTH_A = { "item.presence_label": "A", "item.directionality_label": "A" };
const ITEM = {
  number: 4,
  names: ["Rain", "Flood"],
  at: [0, 1],
  own: {},
  is_compared: false,
  is_flagged: false,
  judges: [],
  stands: {},
  score: null,
  rulings: [],
  oddities: [],
  warnings: [],
  marks: [],
  quotes: [],
};
const node = (name, truth, answer) => ({ name, lines: [name], x: 0, y: 0, width: 1, height: 1, truth, answer });
const COMPARED = {
  own: BOTH_A,
  is_compared: true,
  judges: [{ name: "J", is_corrected: true, labels: { ...BOTH_A, "item.presence_label": "B" } }],
};

let made = 0;
/** A desk without a page, of a sheet of its own; `first` is what else there is of the first of three items. */
function deskOf(first = {}, fields = FIELDS) {
  const data = /** @type {any} */ ({
    section: "edge_recall",
    state: "open",
    halted: false,
    label_first: true,
    review_version: 3,
    fields,
    items: [
      { ...ITEM, ...first },
      { ...ITEM, number: 7 },
      { ...ITEM, number: 9 },
    ],
    nodes: [node("Rain", 1, 0), node("Flood", 2, 2), node("Rains", 0, 1)],
    edges: [],
    links: [{ truth: 1, answer: 1, by: "maybe", is_one: false }],
    states: {},
    reasons: ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "other"],
  });
  const acts = [];
  const called = [];
  const calls = (name) => () => void called.push(name);
  const c = /** @type {any} */ ({
    subject: `someone/sheet ${++made}`,
    data,
    view: viewOf(data, []),
    pending: () => acts,
    called,
    isClosed: () => !c.view.isOpen,
    act(kind, payload = {}) {
      if (c.isClosed()) return null;
      const act = { id: String(acts.length), seq: acts.length, kind, ...payload };
      acts.push(act);
      c.view = viewOf(c.data, acts);
      return act;
    },
    /** The acts without what the outbox gives them. */
    sent: () => acts.map(({ id: _id, seq: _seq, ...act }) => act),
    /** What the store answers: every act is taken, and the item is this now. */
    answered(item) {
      acts.length = 0;
      data.items[c.ui.at] = { ...data.items[c.ui.at], ...item };
      c.view = viewOf(data, acts);
    },
    ask: (what) => called.push(what),
    say: (text) => void (c.told = text),
    draw() {},
    focus() {},
    setState: (name, value) => called.push(`${name} ${value}`),
    labels: {
      reason: {
        note: { value: "", focus() {} },
        open: calls("reason"),
        element: { scrollIntoView: calls("in view") },
        type: (letter) => void (c.labels.reason.note.value += letter),
      },
      reasoning: { toggle: calls("reasoning") },
    },
    text: { next: calls("sentence"), search: { focus: calls("search") } },
    graph: { nextSide: () => "truth" },
    counterparts: {
      open() {},
      element: { scrollIntoView() {} },
      choose: (n) => called.push(`choice ${n}`),
      send: calls("send"),
    },
  });
  const ui = { at: 0, field: null, asks: "", reason: "", side: "both", isAround: false, isGoing: false, last: [] };
  equip(c, ui);
  c.history = createHistory(c.drafts);
  c.commands = { ...createCommands(c), help: calls("help") };
  const table = commandsOf(KEY_TABLE);
  c.press = (...keys) =>
    keys.forEach((key) => answers(c, key) || c.commands[table.get(key)?.command ?? assert.fail(key)]({ key }));
  return c;
}

const labelled = (name, said) => ({ kind: "label", number: 4, block: "item", field: name, label: said });
const PRESENCE = "presence_label";
/** By the keys of its row in the table: what a press does. */
const DOES = {
  "1 to 4": (press) => {
    const c = deskOf();
    c.press(press);
    assert.deepEqual(c.sent(), [labelled(PRESENCE, "ABCD"[Number(press) - 1])]);
    assert.equal(c.ui.field, "item.directionality_label");
  },
  Backspace: (press) => {
    const c = deskOf();
    c.press("1", press);
    assert.deepEqual([c.item().own, c.ui.field], [{}, "item.presence_label"]);
  },
  "Tab, Shift ↓": (press) => {
    const c = deskOf();
    c.press(press, press);
    assert.equal(c.ui.field, "item.directionality_label");
  },
  "Shift ↑": (press) => {
    const c = deskOf();
    c.noteField("item.directionality_label");
    c.press(press);
    assert.equal(c.ui.field, "item.presence_label");
  },
  f: (press) => {
    const c = deskOf();
    c.press(press, "Enter");
    assert.equal(c.told, "Say in a few words why this item cannot be judged.");
    assert.deepEqual([c.ui.asks, c.sent()], ["flag", []]);
    c.labels.reason.note.value = " two nodes in one ";
    c.press("Enter");
    assert.deepEqual(c.sent(), [{ kind: "flag", number: 4, note: "two nodes in one" }]);
    assert.ok(c.item().isDone);
    c.press("Enter");
    assert.equal(c.item().number, 7);
  },
  Enter: (press) => {
    const c = deskOf();
    c.press(press);
    assert.match(c.told, /presence_label is still to come; the judge's labels are shown when all are set/);
    c.press("1", "1", press);
    assert.deepEqual(c.sent().at(-1), { kind: "compare", number: 4 });
    c.press(press, "1", "1", press, press, "1", "1", press);
    c.press(press);
    assert.deepEqual(c.sent().at(-1), { kind: "submit" });
  },
  "n, ↓": (press) => {
    const c = deskOf();
    c.press(press, press);
    assert.deepEqual([c.item().number, c.called], [9, ["item 7", "item 9"]]);
    c.press(press);
    assert.equal(c.item().number, 4);
  },
  "p, ↑": (press) => {
    const c = deskOf();
    c.press(press);
    assert.equal(c.item().number, 9);
  },
  s: (press) => {
    const c = deskOf();
    c.press(press, "Enter");
    assert.equal(c.told, "Give a reason for skipping this sheet.");
    c.labels.reason.note.value = "not mine";
    c.press("Enter");
    assert.deepEqual(c.sent(), [{ kind: "skip", reason: "not mine" }]);
  },
  d: (press) => {
    const c = deskOf();
    c.press(press);
    assert.deepEqual([c.ui.definesAll, c.told], [true, "All definitions."]);
    c.press(press);
    assert.equal(c.ui.definesAll, false);
  },
  "u, Ctrl Z": (press) => {
    const c = deskOf();
    c.press("2", "1", press);
    assert.deepEqual(c.item().own, { "item.presence_label": "B" });
    c.press(press, press);
    assert.deepEqual([c.item().own, c.told], [{}, "There is nothing to undo. What was compared stays compared."]);
    // A ruling of another time is taken back too; what was seen stays seen.
    const ruled = deskOf({ ...COMPARED, rulings: [{ words: "", by: "", is_mine: true }] });
    ruled.press(press);
    assert.deepEqual(ruled.sent(), [{ kind: "take_back", number: 4 }]);
  },
  "U, Ctrl Shift Z": (press) => {
    const c = deskOf();
    c.press("2", "1", "u", "u", press, press, press);
    assert.deepEqual(c.item().own, { "item.presence_label": "B", "item.directionality_label": "A" });
    assert.equal(c.told, "There is nothing to redo.");
    const ruled = deskOf(COMPARED);
    ruled.press("j", "u", press);
    assert.deepEqual(
      ruled.sent().map(({ kind, seen_review: seen }) => [kind, seen]),
      [
        ["concede", 3],
        ["take_back", undefined],
        ["concede", 5],
      ],
    );
  },
  "k, then 1 to 8": (press) => {
    const c = deskOf(COMPARED);
    c.press(press, "3");
    assert.deepEqual(c.sent(), [{ kind: "keep", number: 4, reason: "3rd", note: "", seen_review: 3 }]);
    const other = deskOf(COMPARED);
    other.press(press, "8", "Enter");
    assert.equal(other.told, "Say in a few words why: an override without a reason helps nobody.");
    other.labels.reason.note.value = "the figure";
    other.press("Enter");
    assert.deepEqual(other.sent()[0], { kind: "keep", number: 4, reason: "other", note: "the figure", seen_review: 3 });
    const back = deskOf(COMPARED);
    back.press(press, "Escape", "3");
    assert.deepEqual([back.ui.asks, back.sent()], ["", []]);
    const early = deskOf();
    early.press(press);
    assert.deepEqual([early.told, early.ui.asks], ["Compare this item first (Enter).", ""]);
    const bare = deskOf({ ...COMPARED, own: {} });
    bare.press(press);
    assert.deepEqual([bare.told, bare.ui.asks], ["Set your own labels first.", ""]);
  },
  j: (press) => {
    const c = deskOf(COMPARED);
    c.press(press);
    assert.deepEqual(c.sent(), [{ kind: "concede", number: 4, seen_review: 3 }]);
  },
  b: (press) => {
    const c = deskOf(COMPARED);
    c.press(press);
    assert.deepEqual(c.sent(), [{ kind: "both", number: 4, seen_review: 3 }]);
  },
  r: (press) => {
    const c = deskOf();
    c.press(press);
    assert.deepEqual(c.called, ["reasoning"]);
  },
  a: (press) => {
    const c = deskOf();
    c.press(press);
    assert.deepEqual(c.sent(), [{ kind: "counterpart", truth: 1, answer: 1, is_one: true }]);
    c.press(press);
    assert.equal(c.ui.asks, "link");
    c.press("1");
    assert.deepEqual(c.called, ["choice 0"]);
  },
  q: (press) => {
    const c = deskOf();
    c.press(press);
    assert.deepEqual(c.called, ["sentence"]);
  },
  "/": (press) => {
    const c = deskOf();
    c.press(press);
    assert.deepEqual(c.called, ["search"]);
  },
  g: (press) => {
    const c = deskOf();
    c.press(press);
    assert.deepEqual([c.ui.isAround, c.told], [true, "Around edge 4: Rain → Flood"]);
    c.press(press);
    assert.deepEqual([c.ui.isAround, c.told], [false, "The whole graph."]);
  },
  v: (press) => {
    const c = deskOf();
    c.press(press);
    assert.equal(c.ui.side, "truth");
  },
  "?": (press) => {
    const c = deskOf();
    c.press(press);
    assert.deepEqual(c.called, ["help"]);
  },
};

for (const { keys, does, presses } of KEY_TABLE.keys)
  test(`${keys}: ${does}`, () => {
    assert.ok(presses.length > 0);
    presses.forEach((press) => DOES[keys](press));
  });

test("no key is tried that the table does not have", () => {
  assert.deepEqual(Object.keys(DOES).sort(), KEY_TABLE.keys.map(({ keys }) => keys).sort());
});

test("an override is in view, and words typed without its field are its reason: none skips or rules", () => {
  const c = deskOf(COMPARED);
  c.press("k");
  assert.deepEqual(c.called, ["reason", "in view"]);
  c.press(..."jobs fsu?", "ArrowDown", "Ctrl+z", "Backspace");
  assert.deepEqual([c.ui.asks, c.item().number, c.sent()], ["keep", 4, []]);
  c.press("Enter");
  assert.deepEqual(c.sent(), [{ kind: "keep", number: 4, reason: "other", note: "jobs fsu?", seen_review: 3 }]);
  const asked = deskOf();
  asked.ask_("submit");
  asked.press(..."nsf");
  assert.deepEqual([asked.ui.asks, asked.item().number, asked.sent()], ["submit", 4, []]);
  for (const press of ["Tab", "Ctrl+c", "F5"]) assert.equal(answers(asked, press), false);
});

test("on a sheet that is submitted no key changes anything", () => {
  const c = deskOf(COMPARED);
  c.data.state = "submitted";
  c.view = viewOf(c.data, []);
  const lets = ["Enter", "?", "/", "q", "g", "v", "r", "n", "p", "ArrowDown", "ArrowUp"];
  KEY_TABLE.keys.flatMap(({ presses }) => presses).forEach((press) => lets.includes(press) || c.press(press));
  assert.deepEqual([c.sent(), c.ui.asks], [[], ""]);
  c.press("Enter");
  assert.deepEqual(c.called, ["next"]);
});

// Sections of recall have four fields and those of edge precision six: tests/core/verdicts/test_review.py.
for (const [many, most] of [
  [4, 6],
  [6, 8],
])
  test(`an item of ${many} fields takes ${most} presses where both agree, and 3 more for an override`, () => {
    const fields = Array.from({ length: many }, (_, n) => field(`item.field${n}`, ["A", "B"]));
    const own = Object.fromEntries(fields.map(({ key }) => [key, "A"]));
    for (const [judge, more] of [
      [own, []],
      [{ ...own, "item.field0": "B" }, ["k", "3"]],
    ]) {
      const c = deskOf({}, fields);
      const first = [...fields.map(() => "1"), "Enter"];
      c.press(...first);
      c.answered({ own, is_compared: true, judges: [{ name: "J", is_corrected: true, labels: judge }] });
      c.press(...more, "Enter");
      assert.equal(c.item().number, 7);
      assert.ok(first.length + more.length + 1 <= most + (more.length > 0 ? 3 : 0));
    }
  });
