import assert from "node:assert/strict";
import { test } from "node:test";

import { confidenceText } from "../../../../components/canvas/around/bar.js";

test("what speaks against a proposal is said in sentences of its own", () => {
  const doubtful = {
    confidence: 0.5,
    is_doubtful: true,
    is_certain: false,
    doubts: ["The line begins here.", "It ends there."],
  };
  assert.equal(confidenceText(doubtful), "0.50, check the direction · The line begins here. It ends there.");
  assert.equal(confidenceText({ confidence: 0.98, is_doubtful: false, is_certain: true, doubts: [] }), "certain, 0.98");
});
