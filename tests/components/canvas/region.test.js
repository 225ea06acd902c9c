import assert from "node:assert/strict";
import { test } from "node:test";

import { curveOf } from "../../../components/canvas/geometry.js";
import { contentsOf, isWithin, middleOf, ringOf, stepped } from "../../../components/canvas/region.js";

const line = (key, ...points) => ({ kind: "proposal", key, edge: {}, ...curveOf(points), curve: curveOf(points) });

test("a lasso holds what lies inside its ring, also where it is bent", () => {
  const bent = [[0, 0], [10, 0], [10, 10], [6, 10], [6, 4], [4, 4], [4, 10], [0, 10]]; // prettier-ignore
  assert.equal(isWithin(bent, [2, 8]), true);
  assert.equal(isWithin(bent, [5, 8]), false); // between its legs
  assert.equal(isWithin(bent, [8, 8]), true);
  assert.equal(isWithin([[1, 1]], [1, 1]), false);
});

test("a proposal is in a region with both ends and its middle, a name with its middle", () => {
  const lines = [
    line("in", [2, 2], [8, 8]),
    line("leaves", [2, 2], [30, 2]),
    line("around", [2, 2], [30, 5], [2, 8]),
    { ...line("stub", [3, 3], [4, 4]), isStub: true },
    { ...line("edge", [3, 3], [4, 4]), kind: "edge" },
  ];
  const places = [
    { kind: "word", key: "w:0", name: "Rain", box: [1, 1, 12, 3], isPoint: false },
    { kind: "word", key: "w:1", name: "Snow", box: [8, 1, 20, 3], isPoint: false },
  ];
  const found = contentsOf({ ring: ringOf([0, 0, 10, 10]), box: null }, { lines, places });
  assert.deepEqual(found.proposals, ["in"]);
  assert.deepEqual(
    found.places.map(({ name }) => name),
    ["Rain"],
  );
});

test("a region by keys begins in the middle, moves and stretches inside the figure", () => {
  const room = [0, 0, 100, 100];
  const middle = middleOf(room);
  assert.deepEqual(middle.box, [25, 25, 75, 75]);
  assert.deepEqual(stepped(middle, [10, -5], false, room, 1).box, [35, 20, 85, 70]);
  assert.deepEqual(stepped(middle, [90, 0], false, room, 1).box, [50, 25, 100, 75]);
  assert.deepEqual(stepped(middle, [-90, 10], true, room, 1).box, [25, 25, 28, 85]);
  const lasso = { ring: [[10, 10], [20, 15], [12, 30]], box: null }; // prettier-ignore
  assert.deepEqual(stepped(lasso, [1, 0], false, room, 1).box, [11, 10, 21, 30]);
});
