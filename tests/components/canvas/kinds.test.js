import assert from "node:assert/strict";
import { test } from "node:test";

import { kindsOf, kindText } from "../../../components/canvas/kinds.js";

const BETWEEN = "It ends between two names.";
const proposal = (id, more = {}) => ({
  ...{ id, source: "a", sink: "b", sign: "", delay: false, confidence: 0.9, is_doubtful: false, is_certain: true },
  ...{ origin: "from the picture", why: "", doubts: [], path: null, ...more },
});

test("a proposal's kinds are what it shares with others, smallest first and each once", () => {
  const wrong = { is_certain: false, doubts: [BETWEEN] };
  const lit = proposal("p1", wrong);
  const all = [lit, proposal("p2", wrong), proposal("p3", { is_certain: false }), proposal("p4", { sign: "+" })];
  assert.deepEqual(kindsOf(lit, all).map(kindText), [
    `2 proposals with the doubt “${BETWEEN}”`,
    "3 proposals that are not certain",
    "4 proposals read from the picture",
  ]);
  assert.deepEqual(kindsOf(lit, all)[0].ids, ["p1", "p2"]);
});

test("a proposal unlike all others is of no kind", () => {
  const lone = proposal("p1", { delay: true, sign: "-", origin: "from vector lines" });
  assert.deepEqual(kindsOf(lone, [lone, proposal("p2")]), []);
});
