// Opening of a figure: whole while its names can be read, else enlarged.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openingScale } from "../../../components/canvas/pane.js";

// A word of 10 letters in a box of 60 x 10 points has letters of 10 points: sqrt(60 * 10 / (0.6 * 10)).
const words = Array.from({ length: 4 }, () => ({ text: "Population", box: [0, 0, 60, 10] }));
const figure = { width: 1000, height: 500 };
const at = (width, height) => openingScale(/** @type {any} */ ({ words, figure }), { width, height });

test("a figure opens whole if its letters have 7 pixels, though 9 are wanted", () => {
  assert.equal(at(900, 450), 0);
  assert.equal(at(715, 358), 0);
});

test("a figure with smaller letters opens with letters of 9 pixels", () => {
  assert.equal(at(600, 300), 0.9);
  assert.equal(at(715, 200), 0.9);
});

test("a narrow window and a figure without words show the whole figure", () => {
  assert.equal(at(390, 195), 0);
  assert.equal(openingScale({ words: [], figure }, { width: 600, height: 300 }), 0);
});
