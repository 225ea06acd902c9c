// What is dimmed while something is highlighted: lines almost vanish, names stay legible.

import assert from "node:assert/strict";
import { test } from "node:test";

import { strengthOf } from "../../../components/graph/items.js";

const facts = new Map([
  [0, { id: "node Rain", node: {} }],
  [1, { id: "edge 1", edge: {} }],
]);

test("a dimmed name keeps a contrast of 4.5 and a dimmed line does not compete", () => {
  const figure = { full: new Set([7]), facts, palette: { dim: 0.15 } };
  // ink #14171A at this strength over paper #FDFCFA, as WCAG computes contrast
  const channel = (ink, paper) => (ink * strengthOf(figure, 0) + paper * (1 - strengthOf(figure, 0))) / 255;
  const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const name = light([channel(0x14, 0xfd), channel(0x17, 0xfc), channel(0x1a, 0xfa)]);
  const paper = light([0xfd / 255, 0xfc / 255, 0xfa / 255]);
  assert.ok((paper + 0.05) / (name + 0.05) >= 4.5);
  assert.equal(strengthOf(figure, 1), 0.15);
  assert.equal(strengthOf(figure, 7), 1);
  assert.equal(strengthOf({ ...figure, full: null }, 1), 1);
});
