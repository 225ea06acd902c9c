import assert from "node:assert/strict";
import { test } from "node:test";

import { RULING_KEYS } from "../../../components/adjudication/key_table.js";
import { HINT_LETTERS } from "../../../components/canvas/hints.js";
import { CANVAS_KEYS } from "../../../components/canvas/key_table.js";
import { deedsOf, pressOf, receiptState, receiptText } from "../../../components/desk/keys.js";
import { SCORING_KEYS } from "../../../components/triplets/key_table.js";

const press = (key, held = {}) => ({ key, shiftKey: false, ctrlKey: false, metaKey: false, ...held });

for (const [desk, keys] of Object.entries({ CANVAS_KEYS, RULING_KEYS, SCORING_KEYS })) {
  test(`${desk}: a press does one thing, and what does something has a press`, () => {
    const presses = keys.flatMap((row) => row.presses);
    assert.equal(new Set(presses).size, presses.length);
    assert.equal(deedsOf(keys).size, presses.length);
    assert.ok(keys.every(({ deed, presses: own }) => (deed === "") === (own.length === 0)));
  });
}

test("no letter of a code is a key of the canvas", () => {
  const deeds = deedsOf(CANVAS_KEYS);
  for (const letter of HINT_LETTERS) {
    assert.equal(deeds.get(letter), undefined);
    assert.equal(deeds.get(letter.toUpperCase()) ?? undefined, undefined);
  }
});

test("a press is named as the tables write it", () => {
  assert.equal(pressOf(press("d")), "d");
  assert.equal(pressOf(press("D", { shiftKey: true })), "D");
  assert.equal(pressOf(press("ArrowUp", { shiftKey: true })), "Shift+ArrowUp");
  assert.equal(pressOf(press("Z", { ctrlKey: true, shiftKey: true })), "Ctrl+Shift+z");
  assert.equal(pressOf(press("z", { metaKey: true })), "Ctrl+z");
});

const QUIET = { waiting: 0, quietMs: 0, connected: true, halted: false, kept: true };

test("the receipt says what is stored, and where the rest is", () => {
  assert.equal(receiptText(QUIET, "Saved 12:03:22"), "Saved 12:03:22");
  assert.equal(receiptText({ ...QUIET, waiting: 1 }, "Saved 12:03:22"), "Saving…");
  const cut = { ...QUIET, waiting: 2, connected: false };
  assert.equal(receiptText(cut), "Not connected: 2 acts kept on this computer, will be sent");
  assert.equal(
    receiptText({ ...cut, kept: false }),
    "Not connected: 2 acts only in this tab: do not close it, will be sent",
  );
  assert.match(receiptText({ ...QUIET, waiting: 1, quietMs: 6_200 }), /no answer for 6 s: 1 act kept/);
  assert.equal(receiptText({ ...QUIET, halted: true }), "Stopped: nothing is sent");
});

test("its colour says saved, on the way or held", () => {
  assert.equal(receiptState(QUIET), "saved");
  assert.equal(receiptState({ ...QUIET, waiting: 1 }), "saving");
  assert.equal(receiptState({ ...QUIET, connected: false }), "held");
  assert.equal(receiptState({ ...QUIET, halted: true }), "held");
});
