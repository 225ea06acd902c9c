import assert from "node:assert/strict";
import { test } from "node:test";

import { looseMatches } from "../../../components/canvas/names.js";

const NAMES = ["Demand for labour", "Labour", "Labour demand", "Price of labour", "Elaboration", "Rain"];

test("the same name comes first, then what begins so, holds it as a word, holds it at all", () => {
  assert.deepEqual(looseMatches(NAMES, "labour"), ["Labour", "Labour demand", "Demand for labour", "Price of labour"]);
});

test("words are found in any order, by their beginnings", () => {
  assert.deepEqual(looseMatches(NAMES, "lab dem"), ["Demand for labour", "Labour demand"]);
});

test("letters may be left out once there are three", () => {
  assert.deepEqual(looseMatches(NAMES, "pcelb"), ["Price of labour"]);
  assert.deepEqual(looseMatches(NAMES, "rn"), []);
});

test("nothing typed offers the first eight names", () => {
  const many = Array.from({ length: 20 }, (_, place) => `name ${place}`);
  assert.deepEqual(looseMatches(many, "  "), many.slice(0, 8));
});

test("names that are words of the language of objects are names like others", () => {
  assert.deepEqual(looseMatches(["__proto__", "constructor"], "__pro"), ["__proto__"]);
});
