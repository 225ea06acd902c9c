import assert from "node:assert/strict";
import { test } from "node:test";

import { HINT_LETTERS, typeHint, withHints } from "../../../components/canvas/hints.js";

const named = (count) => Array.from({ length: count }, (_, place) => `name ${place}`);

for (const count of [1, 15, 25, 70, 140, 700]) {
  test(`codes of ${count} names are free of prefixes and never change`, () => {
    const keys = named(count);
    const first = withHints(null, keys);
    const second = withHints(first, [...keys, ...keys.map((key) => `${key} later`)].reverse());
    for (const [key, code] of first.codes) assert.equal(second.codes.get(key), code);
    const codes = [...second.codes.values()].sort();
    assert.equal(codes.length, 2 * count);
    for (let at = 1; at < codes.length; at += 1) assert.ok(!codes[at].startsWith(codes[at - 1]));
    const lengths = keys.map((key) => first.codes.get(key).length);
    assert.ok(Math.max(...lengths) <= (count < 500 ? 2 : 6)); // 17 signs make 288 pairs
    if (count < 75) assert.ok(lengths.slice(0, 8).every((length) => length === 1));
  });
}

test("a code is made of the letters that are no command", () => {
  const { codes } = withHints(null, named(700));
  assert.ok([...codes.values()].every((code) => [...code].every((letter) => HINT_LETTERS.includes(letter))));
});

test("names that all have their code leave everything as it was", () => {
  const kept = withHints(null, named(5));
  assert.equal(withHints(kept, named(3)), kept);
});

test("letters lead to a name, to more letters, or nowhere", () => {
  const codes = new Map([
    ["Price", "j"],
    ["Demand", "9a"],
    ["hidden", "9b"],
  ]);
  const shown = ["Price", "Demand"];
  assert.deepEqual(typeHint(codes, shown, "", "j"), { typed: "", key: "Price", isMiss: false });
  assert.deepEqual(typeHint(codes, shown, "", "9"), { typed: "9", key: null, isMiss: false });
  assert.deepEqual(typeHint(codes, shown, "9", "a"), { typed: "", key: "Demand", isMiss: false });
  assert.deepEqual(typeHint(codes, shown, "9", "b"), { typed: "", key: null, isMiss: true });
});
