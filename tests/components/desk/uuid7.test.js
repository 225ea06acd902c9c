import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mock, test } from "node:test";

import { UUID7, idWithin, uuid7 } from "../../../components/desk/uuid7.js";

const EXAMPLES = JSON.parse(readFileSync(new URL("act_ids.json", import.meta.url), "utf8")); // tests/core/test_act_ids.py too

test("ids are UUIDs of version 7, never twice, and end in the number zero", () => {
  const ids = Array.from({ length: 2_000 }, uuid7);
  assert.ok(ids.every((id) => UUID7.test(id) && idWithin(id, 0) === id));
  assert.equal(new Set(ids).size, ids.length);
});

test("an id begins with its time in milliseconds", () => {
  mock.timers.enable({ apis: ["Date"], now: 0x0123456789ab });
  assert.equal(uuid7().slice(0, 13), "01234567-89ab");
  mock.timers.reset();
});

test("what an act makes is numbered as on the server", () => {
  for (const { act, number, id } of EXAMPLES.numbered) assert.equal(idWithin(act, number), id);
  for (const number of EXAMPLES.too_many) assert.throws(() => idWithin(uuid7(), number), /at most 65535/);
});

test("a UUIDv7 is known by its form as on the server", () => {
  assert.ok(EXAMPLES.is_uuid7.every((id) => UUID7.test(id)));
  assert.ok(!EXAMPLES.is_none.some((id) => UUID7.test(id)));
});
