import assert from "node:assert/strict";
import { test } from "node:test";

import { KEY_TABLE as adjudication } from "../../../components/adjudication/key_table.js";
import { HINT_LETTERS } from "../../../components/canvas/hints.js";
import { KEY_TABLE as canvas } from "../../../components/canvas/key_table.js";
import {
  commandsOf,
  focusWhenFree,
  isOwnPress,
  pressOf,
  receiptState,
  receiptText,
} from "../../../components/desk/keys.js";
import { KEY_TABLE as edgeList } from "../../../components/edge_list/key_table.js";
import { KEY_TABLE as triplets } from "../../../components/triplets/key_table.js";
import { KEY_TABLE as verdicts } from "../../../components/verdicts/key_table.js";
import { openWindow } from "../browser.js";

const press = (key, held = {}) => ({ key, shiftKey: false, ctrlKey: false, metaKey: false, ...held });

for (const [desk, table] of Object.entries({ canvas, edgeList, adjudication, triplets, verdicts })) {
  test(`${desk}: a press does one thing, and what does something has a press`, () => {
    const presses = table.keys.flatMap((row) => row.presses);
    assert.equal(new Set(presses).size, presses.length);
    assert.equal(commandsOf(table).size, presses.length);
    assert.ok(table.keys.every(({ command, presses: own }) => (command === "") === (own.length === 0)));
  });
}

test("a held key repeats what moves, and nothing that changes the work but undo", () => {
  const held = [canvas, edgeList, adjudication, triplets, verdicts].flatMap(({ keys }) =>
    keys.filter(({ repeats }) => repeats),
  );
  const moves = ["step", "pan", "zoom", "next", "previous", "nextEdge", "nextArrow", "previousArrow", "undo", "redo"];
  moves.push("nextField", "previousField");
  assert.deepEqual(new Set(held.map(({ command }) => command)), new Set(moves));
});

test("no letter of a code is a key of the canvas, and but for eight small letters do what capitals do", () => {
  const commands = commandsOf(canvas);
  for (const letter of HINT_LETTERS) {
    assert.equal(commands.get(letter), undefined);
    assert.equal(commands.get(letter.toUpperCase()), undefined);
  }
  for (const [pressed, { command }] of commands)
    if (/^[A-Z]$/.test(pressed) && !"BFMNORXY".includes(pressed))
      assert.equal(commands.get(pressed.toLowerCase())?.command, command);
});

test("Enter and Space on a button are the button's, and a score is given by Space", () => {
  const on = (...matched) => ({ matches: (selectors) => matched.some((one) => selectors.split(", ").includes(one)) });
  const own = (target) => ["Enter", " ", "a"].map((key) => isOwnPress({ key, target }));
  assert.deepEqual(own(on("button")), [true, true, false]);
  assert.deepEqual(own(on("button", "[role=radio]")), [false, true, false]);
  assert.deepEqual(own(on("div")), [false, false, false]);
});

test("a press is named as the tables write it", () => {
  assert.equal(pressOf(press("d")), "d");
  assert.equal(pressOf(press("D", { shiftKey: true })), "D");
  assert.equal(pressOf(press("ArrowUp", { shiftKey: true })), "Shift+ArrowUp");
  assert.equal(pressOf(press("Z", { ctrlKey: true, shiftKey: true })), "Ctrl+Shift+z");
  assert.equal(pressOf(press("z", { metaKey: true })), "Ctrl+z");
});

const QUIET = { waiting: 0, quietMs: 0, connected: true, trouble: "", halted: false, kept: true };
const NONE = { saved_at: "", receipt: "" };

test("the receipt says what is stored, and where the rest is", () => {
  const at = new Date(2026, 10, 22, 12, 3, 22); // in the time of this computer
  assert.equal(receiptText(QUIET, { saved_at: at.toISOString(), receipt: "2 nodes" }), "Saved 12:03:22 · 2 nodes");
  assert.equal(receiptText(QUIET, { saved_at: "", receipt: "2 nodes" }), "2 nodes");
  assert.equal(receiptText(QUIET, { saved_at: "", receipt: "" }), "");
  assert.equal(receiptText({ ...QUIET, waiting: 1 }, { saved_at: at.toISOString(), receipt: "" }), "Saving…");
  const cut = { ...QUIET, waiting: 2, connected: false };
  assert.equal(receiptText(cut, NONE), "Not connected: 2 acts kept on this computer, will be sent");
  assert.equal(
    receiptText({ ...cut, kept: false }, NONE),
    "Not connected: 2 acts only in this tab: do not close it, will be sent",
  );
  assert.match(receiptText({ ...QUIET, waiting: 1, quietMs: 6_200 }, NONE), /no answer for 6 s: 1 act kept/);
  assert.equal(receiptText({ ...QUIET, waiting: 1, trouble: "Signed out." }, NONE), "Signed out.");
  assert.equal(receiptText({ ...QUIET, halted: true }, NONE), "Stopped: nothing is sent");
});

test("its colour says saved, on the way or held", () => {
  assert.equal(receiptState(QUIET), "saved");
  assert.equal(receiptState({ ...QUIET, waiting: 1 }), "saving");
  assert.equal(receiptState({ ...QUIET, connected: false }), "held");
  assert.equal(receiptState({ ...QUIET, trouble: "Signed out." }), "held");
  assert.equal(receiptState({ ...QUIET, halted: true }), "held");
});

test("one can type at once, as soon as nothing else has the focus", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  openWindow();
  const { document } = globalThis;
  const asked = [];
  const wish = () => {
    const takes = () => asked.push("focus");
    focusWhenFree({ isConnected: true }, () => true, takes);
  };
  document.body = {};
  document.activeElement = document.body;
  wish();
  assert.equal(asked.length, 1);
  document.activeElement = {}; // a button that was just pressed
  wish();
  t.mock.timers.tick(300);
  assert.equal(asked.length, 1);
  document.activeElement = document.body;
  t.mock.timers.tick(100);
  assert.equal(asked.length, 2);
});

test("no keyboard covers a touch screen, and a desk that is gone takes nothing", () => {
  openWindow();
  const { document } = globalThis;
  document.body = {};
  document.activeElement = document.body;
  const never = () => assert.fail("took the focus");
  globalThis.matchMedia = (query) => ({ matches: query !== "(pointer: fine)" });
  focusWhenFree({ isConnected: true }, () => true, never);
  globalThis.matchMedia = () => ({ matches: true });
  focusWhenFree({ isConnected: true }, () => false, never);
  focusWhenFree({ isConnected: false }, () => true, never);
});
