import assert from "node:assert/strict";
import { test } from "node:test";

import { fold, matches, nameAt, needsQuotes, quoted } from "../../../components/edge_list/names.js";

/** The name at the bar in `text`: what is typed of it, and the span that a choice replaces. */
function typedAt(text) {
  const caret = text.indexOf("|");
  const line = text.replace("|", "");
  const { start, end, query, isQuoted } = nameAt(line, caret);
  return { query, span: line.slice(start, end), isQuoted };
}

test("the name at the caret ends at arrows, semicolons and lines", () => {
  assert.deepEqual(typedAt("Rain -> Har|vest; River"), { query: "Har", span: "Harvest", isQuoted: false });
  assert.deepEqual(typedAt("Rain ->+ H|"), { query: "H", span: "H", isQuoted: false });
  assert.deepEqual(typedAt("A -> B; Riv|er level\nC"), {
    query: "Riv",
    span: "River level",
    isQuoted: false,
  });
  assert.deepEqual(typedAt("Ra|in<->Harvest"), { query: "Ra", span: "Rain", isQuoted: false });
  assert.deepEqual(typedAt("A -> |"), { query: "", span: "", isQuoted: false });
});

test("within quotes arrows belong to the name, and doubled quotes are one", () => {
  assert.deepEqual(typedAt('"A -> o|ld" -> B'), { query: "A -> o", span: '"A -> old"', isQuoted: true });
  assert.equal(typedAt('"the ""tru|e"" one" -> B').query, 'the "tru');
});

test("a name that would be read as something else is quoted", () => {
  assert.ok(["A -> B", "A; B", 'the "true" one', "A <- B"].every(needsQuotes));
  assert.ok(!["Births, per year", "A-B", "x > y"].some(needsQuotes));
  assert.equal(quoted('the "true" one'), '"the ""true"" one"');
});

test("names are ranked: as typed, alike, at the start, at a word's start, anywhere", () => {
  const names = ["Collateral", "total rate", "RATE", "rate", "Rates", "Rate of return"].map((name) => [
    name,
    fold(name),
  ]);
  assert.deepEqual(matches(names, "rate"), ["rate", "RATE", "Rates", "Rate of return", "total rate"]);
  assert.deepEqual(matches(names, "ater"), ["Collateral"]);
});
