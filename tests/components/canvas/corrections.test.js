import assert from "node:assert/strict";
import { test } from "node:test";

import { correctionsOf } from "../../../components/canvas/corrections.js";

const OTHERS = ["Farm income", "Student performance", "Employment rate", "PM10 emissions"];
/** @param {string} name @param {string[]} others */
const texts = (name, others = OTHERS) => correctionsOf(name, others).map(({ text }) => text);

test("letters that were read as other signs are letters again", () => {
  assert.deepEqual(texts("Hospita) c0sts"), ["Hospital costs"]);
  assert.deepEqual(texts("Popu|ation"), ["Population"]);
  assert.deepEqual(texts("Second-Chānce Points"), ["Second-Chance Points"]);
  assert.deepEqual(texts("Trust lost.."), ["Trust lost"]);
});

test("a capital within a word is a small letter, and a name begins as most others do", () => {
  assert.deepEqual(texts("Growth LooP"), ["Growth Loop"]);
  assert.deepEqual(texts("soil erosion"), ["Soil erosion"]);
  assert.deepEqual(texts("Soil erosion", ["rain", "harvest", "income"]), ["soil erosion"]);
});

test("the first letters that differ are marked, so that typing replaces them", () => {
  const [{ start, end, isSure }] = correctionsOf("Growth LooP rate", OTHERS);
  assert.deepEqual([start, end, isSure], [10, 11, true]);
});

test("a word of another name that differs in one letter is listed, but is not sure", () => {
  assert.deepEqual(correctionsOf("Studemt debt", OTHERS), [{ text: "Student debt", start: 5, end: 6, isSure: false }]);
});

test("a right name has no correction", () => {
  const names = [
    "PM10 emissions",
    "COVID-19 cases",
    "Phase1 trials",
    "GDP (real)",
    "Price of homes, mean",
    "Farm incomes",
  ];
  for (const name of names) assert.deepEqual(texts(name), [], name);
  assert.deepEqual(texts("Café visits", ["Élan of staff", "Rain"]), []);
  assert.deepEqual(texts("rain", ["Harvest", "Income"]), [], "two names show no habit");
  assert.deepEqual(texts("iPhone", ["iPhone sales", "iPhone price", "iPad sales"]), [], "a word that others have too");
});
