import assert from "node:assert/strict";
import { test } from "node:test";

import { cleanName, foldName } from "../../../components/desk/names.js";

test("a name is kept without invisible letters and with single spaces", () => {
  assert.equal(cleanName("  Pri\u200bce \n of\tlabour\ufeff "), "Price of labour");
  assert.equal(cleanName("e\u0301"), "é");
});

test("case, width and the many dashes do not make another name", () => {
  assert.equal(foldName("GDP \u2013  growth"), foldName("gdp - Growth"));
  assert.equal(foldName("\uff27DP"), "gdp");
  assert.notEqual(foldName("cost"), foldName("côst"));
});
