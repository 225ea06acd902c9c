import assert from "node:assert/strict";
import { test } from "node:test";

import {
  alongLine,
  atLeast,
  borderPoint,
  closestPair,
  courseOf,
  freeSpot,
  hitsAt,
  holds,
  neighbourOf,
  nextHit,
} from "../../../components/canvas/geometry.js";

test("a line is hit within its tolerance, and a name before it", () => {
  const scene = {
    places: [
      { kind: "node", key: "A", box: [0, 0, 20, 10] },
      { kind: "node", key: "tiny", box: [100, 0, 104, 4] },
    ],
    lines: [
      {
        kind: "edge",
        key: "e",
        points: [
          [10, 5],
          [100, 5],
        ],
        bounds: [10, 5, 100, 5],
      },
    ],
  };
  const hits = (x, y) => hitsAt(scene, x, y, { tolerance: 12, target: 24 }).map(({ key }) => key);
  assert.deepEqual(hits(15, 6), ["A", "e"]);
  assert.deepEqual(hits(60, 5), ["e"]);
  assert.deepEqual(hits(60, 16.9), ["e"]);
  assert.deepEqual(hits(60, 17.1), []);
  assert.deepEqual(hits(112.5, 2), ["tiny"]);
  assert.deepEqual(hits(114.1, 2), []);
});

test("of two nested names the smaller one is meant", () => {
  const places = [
    { kind: "node", key: "large", box: [0, 0, 100, 100] },
    { kind: "node", key: "small", box: [40, 40, 60, 60] },
  ];
  const [first] = hitsAt({ places, lines: [] }, 50, 50, { tolerance: 1, target: 1 });
  assert.equal(first.key, "small");
});

test("presses at a crossing take turns", () => {
  const hits = [
    { kind: "edge", key: "e1" },
    { kind: "edge", key: "e2" },
    { kind: "proposal", key: "p" },
  ];
  const turns = [null, "e1", "e2", "p", "elsewhere"].map((chosen) => nextHit(hits, chosen).key);
  assert.deepEqual(turns, ["e1", "e2", "p", "e1", "e1"]);
});

test("a name under the pointer takes no turns, and bare ground is nothing", () => {
  const hits = [
    { kind: "word", key: "w" },
    { kind: "edge", key: "e" },
  ];
  assert.equal(nextHit(hits, "w").key, "w");
  assert.equal(nextHit([], "w"), null);
});

test("curves start and end on their boxes and go round others", () => {
  const [from, to, between] = [
    [0, 0, 20, 10],
    [200, 0, 220, 10],
    [90, -2, 130, 12],
  ];
  const on = ([x0, y0, x1, y1], [x, y]) => holds([x0 - 0.01, y0 - 0.01, x1 + 0.01, y1 + 0.01], x, y);
  const curve = courseOf(from, to, { others: [between] });
  assert.ok(on(from, curve.points[0]) && on(to, curve.points.at(-1)));
  assert.ok(!curve.points.some(([x, y]) => holds(between, x, y)));
  assert.ok(Math.abs(curve.head.angle) < 1); // it points right
  const pair = [courseOf(from, to, { twins: 2 }), courseOf(to, from, { twins: 2 })];
  assert.deepEqual(
    pair.map(({ middle }) => Math.sign(middle.y - 5)),
    [-1, 1],
  );
});

test("a printed course is kept as it is", () => {
  const path = [
    [0, 0],
    [10, 20],
    [30, 20],
  ];
  const curve = courseOf([0, 0, 1, 1], [30, 20, 31, 21], { path });
  assert.deepEqual(curve.points, path);
  assert.deepEqual(curve.bounds, [0, 0, 30, 20]);
});

test("boxes that overlap or coincide still give a finite course", () => {
  const pairs = [
    [
      [0, 0, 20, 10],
      [5, 2, 25, 12],
    ],
    [
      [0, 0, 20, 10],
      [0, 0, 20, 10],
    ],
    [
      [1, 1, 1, 1],
      [1, 1, 1, 1],
    ],
  ];
  for (const [from, to] of pairs) {
    for (const curve of [
      courseOf(from, to),
      courseOf(from, to, { twins: 2 }),
      courseOf(from, from, { isLoop: true }),
    ]) {
      assert.ok(curve.points.flat().every(Number.isFinite));
      assert.ok(!curve.d.includes("NaN"));
      assert.ok([...curve.bounds, curve.head.angle, curve.middle.x, curve.middle.y].every(Number.isFinite));
    }
  }
});

test("the way along a line is measured by its length, and its ends are not passed", () => {
  const corner = [
    [0, 0],
    [30, 0],
    [30, 10],
  ]; // 40 long
  assert.deepEqual(alongLine(corner, 0.5), { x: 20, y: 0, angle: 0 });
  assert.deepEqual(alongLine(corner, 0.875), { x: 30, y: 5, angle: Math.PI / 2 });
  assert.deepEqual(alongLine(corner, 7), { x: 30, y: 10, angle: Math.PI / 2 });
});

test("a ray leaves a box at its border; from a box without size it goes nowhere", () => {
  assert.deepEqual(borderPoint([0, 0, 20, 10], 110, 5), [20, 5]);
  assert.deepEqual(borderPoint([0, 0, 20, 10], 10, -95), [10, 0]);
  assert.deepEqual(borderPoint([4, 4, 4, 4], 4, 4), [4, 4]);
});

test("a small box grows about its middle, a large one stays", () => {
  assert.deepEqual(atLeast([10, 10, 12, 20], 6), [8, 10, 14, 20]);
});

test("of the places of two names the two that stand closest are joined", () => {
  const [left, middle, right] = [
    [0, 0, 2, 2],
    [50, 0, 52, 2],
    [60, 0, 62, 2],
  ];
  assert.deepEqual(closestPair([left, middle], [right]), [middle, right]);
  assert.deepEqual(closestPair([], [right]), [null, right]);
});

test("an arrow key goes to what lies in its direction, not to what is nearest aside", () => {
  const places = [
    { key: "here", box: [0, 0, 0, 0] },
    { key: "ahead", box: [40, 0, 40, 0] },
    { key: "aside", box: [14, 15, 14, 15] },
    { key: "behind", box: [-5, 0, -5, 0] },
  ];
  assert.equal(neighbourOf(places, [0, 0], "ArrowRight", "here"), "ahead");
  assert.equal(neighbourOf(places, [0, 0], "ArrowLeft", "here"), "behind");
  assert.equal(neighbourOf(places, [0, 0], "ArrowDown", "here"), "aside");
  assert.equal(neighbourOf(places, [0, 0], "ArrowUp", "here"), null);
});

test("a free spot lies in the room and in no taken box", () => {
  const taken = [[40, 40, 60, 60]];
  const [x, y] = freeSpot([0, 0, 100, 100], taken, 5);
  assert.ok(holds([5, 5, 95, 95], x, y));
  assert.ok(!holds([35, 35, 65, 65], x, y));
  assert.deepEqual(freeSpot([0, 0, 100, 100], [], 5), [50, 50]);
  assert.deepEqual(freeSpot([0, 0, 100, 100], [[0, 0, 100, 100]], 5), [50, 50]); // none is free: the middle
});
