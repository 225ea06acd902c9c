import assert from "node:assert/strict";
import { test } from "node:test";

import { nextMissing, steppedNode, viewOf } from "../../../../components/texts/labels/view.js";

const DATA = { nodes: ["Lake", "Rain", "Town"], levels: { Rain: 2 }, state: "open", editable: true };

test("levels that wait lie over those that are stored", () => {
  const view = viewOf(DATA, [
    { kind: "label", node: "Lake", level: 1 },
    { kind: "label", node: "Rain", level: null },
  ]);
  assert.deepEqual([...view.levels], [["Lake", 1]]);
  assert.deepEqual([view.missing, view.isOpen], [["Rain", "Town"], true]);
  assert.equal(viewOf(DATA, [{ kind: "submit_levels" }]).isOpen, false);
  assert.equal(viewOf({ ...DATA, state: "submitted" }, []).isOpen, false);
});

test("the next node without a level is looked for round the end", () => {
  const view = viewOf(DATA, []);
  assert.deepEqual(
    ["Lake", "Rain", "Town", null].map((node) => nextMissing(view, DATA.nodes, node)),
    ["Town", "Town", "Lake", "Lake"],
  );
  const all = viewOf({ ...DATA, levels: { Lake: 1, Rain: 1, Town: 1 } }, []);
  assert.equal(nextMissing(all, DATA.nodes, "Lake"), null);
  assert.deepEqual([steppedNode(DATA.nodes, "Town", 1), steppedNode(DATA.nodes, null, -1)], ["Lake", "Town"]);
  assert.equal(steppedNode([], null, 1), null);
});
