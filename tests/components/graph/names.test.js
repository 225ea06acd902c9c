import assert from "node:assert/strict";
import { test } from "node:test";

import { folded, namesFound } from "../../../components/graph/names.js";

const named = ["Straße", "Łódź harbour", "Labour demand", "Demand", "Demand for labour", "Øre"].map((name) => ({
  name,
}));
const found = (typed) => namesFound(named, typed).map(({ name }) => name);

test("a name is found without its case and accents", () => {
  assert.equal(folded("  Łódź   HARBOUR "), "lodz harbour");
  assert.deepEqual(found("strasse"), ["Straße"]);
  assert.deepEqual(found("ore"), ["Øre"]);
});

test("the same name comes first, then what begins so, holds it, holds its words", () => {
  assert.deepEqual(found("demand"), ["Demand", "Demand for labour", "Labour demand"]);
  assert.deepEqual(found("labour demand"), ["Labour demand", "Demand for labour"]);
});

test("nothing typed finds nothing", () => {
  assert.deepEqual(found("  "), []);
});
