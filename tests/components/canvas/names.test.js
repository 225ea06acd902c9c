import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { createNameBox, looseMatches } from "../../../components/canvas/names.js";
import { openWindow, PlainElement } from "../browser.js";

beforeEach(() => openWindow());

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

/** An open name box: its field, the names that it gave, the letters it selected. @param {any} request */
function openBox(request) {
  Object.assign(PlainElement.prototype, { scrollIntoView() {}, removeAttribute() {} });
  const layer = new PlainElement();
  /** @type {string[]} */
  const names = [];
  const box = createNameBox(layer, { placeOn() {}, canTake: () => true, onDraft() {}, onRefused() {} });
  const field = /** @type {any} */ (layer.children[0].children[0]);
  /** @type {number[]} */
  let selected = [];
  Object.assign(field, { focus() {}, setSelectionRange: (...span) => (selected = span) });
  box.open({ box: null, label: "Name", onTake: (name) => names.push(name), ...request });
  const enter = () => field.dispatchEvent(Object.assign(new Event("keydown"), { key: "Enter" }));
  return { field, names, selected, enter };
}

test("a misread name is corrected by Enter, and its doubtful letters are selected", () => {
  const { names, selected, enter } = openBox({ value: "Growth LooP", names: NAMES, mode: "rename" });
  assert.deepEqual(selected, [10, 11]);
  enter();
  assert.deepEqual(names, ["Growth Loop"]);
});

test("what is typed over a misread name is used as typed, and a new name is never corrected", () => {
  const typed = openBox({ value: "Growth LooP", names: NAMES, mode: "rename" });
  typed.field.value = "Growth LooPs";
  typed.field.dispatchEvent(new Event("input"));
  typed.enter();
  assert.deepEqual(typed.names, ["Growth LooPs"]);
  const fresh = openBox({ value: "LooP", names: [], mode: "place" });
  fresh.enter();
  assert.deepEqual(fresh.names, ["LooP"]);
});
