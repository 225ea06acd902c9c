import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { AS_TEXT, draftsOf, shelfOf } from "../../../components/desk/shelf.js";
import { createStorage, openWindow } from "../browser.js";

beforeEach(() => openWindow());

test("a value outlives its shelf, and null takes it away", () => {
  shelfOf("draft").write({ text: "Rain" });
  assert.deepEqual(shelfOf("draft").read(), { text: "Rain" });
  shelfOf("draft").write(null);
  assert.equal(shelfOf("draft").read(), null);
});

test("without storage a value lives as long as the tab; what is no JSON is nothing", () => {
  openWindow({ local: createStorage(0) });
  const shelf = shelfOf("draft");
  shelf.write("typed");
  assert.equal(shelf.read(), "typed");
  openWindow();
  localStorage.setItem("draft", "{half");
  assert.equal(shelfOf("draft").read(), null);
});

test("a text is kept as it is, as the version before kept it", () => {
  localStorage.setItem("line", "12");
  assert.equal(shelfOf("line", AS_TEXT).read(), "12");
  shelfOf("line", AS_TEXT).write('"A; old" -> B');
  assert.equal(localStorage.getItem("line"), '"A; old" -> B');
});

test("drafts of a desk are tidied when they are read, and kept one subject apart from another", () => {
  const tidy = ({ comment }) => ({ comment: typeof comment === "string" ? comment : null });
  draftsOf("ruling", "figure 1", tidy).keep({ comment: "see p. 4" });
  assert.deepEqual(draftsOf("ruling", "figure 1", tidy).kept, { comment: "see p. 4" });
  assert.deepEqual(draftsOf("ruling", "figure 2", tidy).kept, { comment: null });
  localStorage.setItem("edgewise.ruling-draft.figure%201", '"a text"');
  assert.deepEqual(draftsOf("ruling", "figure 1", tidy).kept, { comment: null });
});
