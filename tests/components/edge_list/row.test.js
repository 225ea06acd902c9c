import assert from "node:assert/strict";
import { test } from "node:test";

import { spoken } from "../../../components/edge_list/row.js";

const edge = { source: "A", sink: "B", sign: "", delay: false, flag: "", note: "", state: "" };

test("an edge is said with all that is marked on it", () => {
  const marked = { ...edge, sign: "-", delay: true, note: "p. 3", state: "saving" };
  assert.equal(spoken(marked), "A to B, minus, delay, note: p. 3, saving");
  assert.equal(spoken({ ...edge, sink: "A" }), "A to A, no sign, warning: self-loop");
  assert.equal(spoken({ ...edge, flag: "illegible label" }), "A to B, no sign, illegible name");
});
