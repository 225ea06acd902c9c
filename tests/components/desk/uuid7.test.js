import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { uuid7 } from "../../../components/desk/uuid7.js";

test("ids are UUIDs of version 7, never twice", () => {
  const ids = Array.from({ length: 2_000 }, uuid7);
  assert.ok(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)));
  assert.equal(new Set(ids).size, ids.length);
});

test("an id begins with its time in milliseconds", () => {
  mock.timers.enable({ apis: ["Date"], now: 0x0123456789ab });
  assert.equal(uuid7().slice(0, 13), "01234567-89ab");
  mock.timers.reset();
});
