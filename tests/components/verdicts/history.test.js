// What can be undone on the desk: labels with what they settled, rulings with those before them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createHistory, storedSteps, labelSteps, rulingBack } from "../../../components/verdicts/history.js";
import { laidLabel } from "../../../components/verdicts/view.js";

const [PRESENCE, DIRECTION] = ["graph.presence_label", "graph.directionality_label"];
const DATA = {
  fields: [
    { key: DIRECTION, settles: [] },
    { key: PRESENCE, settles: [{ label: "NO", key: DIRECTION, to: "NA" }] },
  ],
};
const after = (own, steps) => steps.reduce((laid, { payload }) => laidLabel(DATA, laid, payload), own);

test("the labels before are those that the steps back lead to, whatever a presence settles", () => {
  const states = [{}, { [PRESENCE]: "NO", [DIRECTION]: "NA" }, { [PRESENCE]: "YES", [DIRECTION]: "OK" }];
  states.push({ [PRESENCE]: "NO", [DIRECTION]: "OK" }, { [DIRECTION]: "OK" }, { [PRESENCE]: "YES" });
  for (const from of states)
    for (const to of states)
      assert.deepEqual(after(from, labelSteps(DATA, 4, from, to)), to, JSON.stringify([from, to]));
  assert.deepEqual(labelSteps(DATA, 4, states[0], states[0]), []);
});

const step = (kind, number = 4) => ({ kind, payload: { number } });
const entry = (kind, number = 4) => ({ number, forth: [step(kind, number)], back: [] });

test("a second ruling of an item is taken back to the first", () => {
  assert.deepEqual(rulingBack([], 4), [step("take_back")]);
  assert.deepEqual(rulingBack([entry("concede"), entry("keep", 5)], 4), [step("take_back"), step("concede")]);
  assert.deepEqual(rulingBack([entry("concede"), entry("take_back")], 4), [step("take_back")]);
});

test("what is undone can be done again until something else is done, and labels of a compared item are fixed", () => {
  const kept = { done: storedSteps(undefined), undone: storedSteps([{ number: "x" }, null]) };
  const history = createHistory({ kept, keep: (part) => Object.assign(kept, part) });
  assert.deepEqual([history.back(), history.again()], [null, null]);
  history.note(entry("label"));
  history.note(entry("keep"));
  assert.equal(history.back().forth[0].kind, "keep");
  assert.equal(history.again().forth[0].kind, "keep");
  history.fix(4);
  assert.deepEqual(kept.done, [entry("keep")]);
  history.back();
  history.note(entry("both"));
  assert.equal(history.again(), null);
  history.forget();
  assert.deepEqual(history.done(), []);
});
