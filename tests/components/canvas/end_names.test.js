import assert from "node:assert/strict";
import { test } from "node:test";

import { placeEndNames } from "../../../components/canvas/end_names.js";

const FIGURE = { origin: [60, 80], width: 600, height: 400 };
const [SOURCE, SINK] = [
  [200, 200, 260, 220],
  [500, 340, 560, 360],
];
const POINTS = [
  [260, 210],
  [530, 340],
];

/** Places of the names of an arrow that runs to the right and down. */
function placed(printed, { figure = FIGURE, source = SOURCE, sink = SINK, points = POINTS } = {}) {
  const ends = [
    { key: "source", text: "Rain →", box: source, isAbove: true, away: -1 },
    { key: "sink", text: "→ Harvest", box: sink, isAbove: false, away: 1 },
  ];
  return placeEndNames(ends, { printed: [source, sink, ...printed], points, figure, scale: 1, font: 17, widest: 340 });
}

const overlaps = (one, other) =>
  Math.min(one[2], other[2]) > Math.max(one[0], other[0]) && Math.min(one[3], other[3]) > Math.max(one[1], other[1]);

test("a name stands away from the line, above or below its box", () => {
  const [source, sink] = placed([]);
  assert.deepEqual([source.left, source.top], ["28.333%", "30.000%"]);
  assert.equal(source.translate, "calc(-50% + 0px) calc(-100% + -5px)");
  assert.equal(sink.translate, "calc(-50% + 0px) calc(0% + 5px)");
});

test("a name moves off the figure's own lettering while another place is free", () => {
  const above = [180, 160, 300, 198];
  const [source] = placed([above]);
  assert.ok(!overlaps(source.covers, above));
  assert.ok(!overlaps(source.covers, SOURCE));
});

test("a name covers lettering, but never an end, the other name or the line, where nothing is free", () => {
  const everywhere = [];
  for (let x = 60; x < 660; x += 20) for (let y = 80; y < 480; y += 20) everywhere.push([x, y, x + 18, y + 18]);
  const [source, sink] = placed(everywhere);
  for (const { covers } of [source, sink]) {
    assert.ok(!overlaps(covers, SOURCE) && !overlaps(covers, SINK));
    for (const [x, y] of POINTS) assert.ok(!overlaps(covers, [x - 1, y - 1, x + 1, y + 1]));
  }
  assert.ok(!overlaps(source.covers, sink.covers));
});

test("a name covers neither of two ends that are close to each other", () => {
  const close = { source: [200, 200, 260, 220], sink: [200, 236, 260, 256], points: [[230, 220], [230, 236]] }; // prettier-ignore
  for (const { covers } of placed([], close)) {
    assert.ok(!overlaps(covers, close.source) && !overlaps(covers, close.sink));
  }
});

test("a name stays inside the figure at its border", () => {
  const high = { source: [200, 84, 260, 100], points: [[230, 100], [530, 340]] }; // prettier-ignore
  const [{ covers }] = placed([], high);
  assert.ok(covers[1] >= 80 && covers[0] >= 60);
});
