import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { createDrafts, nameChoice, whyOfItem } from "../../../components/adjudication/drafts.js";
import { openWindow } from "../browser.js";

beforeEach(() => openWindow());

test("what is chosen but not ruled outlives a reload, one subject apart from another", () => {
  const drafts = createDrafts("figure 1");
  drafts.change("d1", { comment: "see p. 4" });
  drafts.change("d1", { is_gap: true });
  drafts.setPlace("d1");
  const again = createDrafts("figure 1");
  assert.deepEqual([again.of("d1"), again.place], [{ comment: "see p. 4", is_gap: true }, "d1"]);
  assert.deepEqual(createDrafts("figure 2").of("d1"), {});
  again.drop("d1");
  assert.deepEqual(createDrafts("figure 1").of("d1"), {});
});

test("what is no draft in the browser's storage is passed over", () => {
  localStorage.setItem(
    `edgewise.ruling-draft.${encodeURIComponent("figure 1")}`,
    JSON.stringify({ drafts: [["d1", null], 7], place: 3 }),
  );
  const drafts = createDrafts("figure 1");
  assert.deepEqual([drafts.of("d1"), drafts.place], [{}, null]);
});

test("why is what is being written, over what was ruled", () => {
  const item = { ruling: { reasons: ["dashed"], comment: "kept", is_gap: false } };
  assert.deepEqual(whyOfItem(item, {}), {
    reasons: ["dashed"],
    comment: "kept",
    is_gap: false,
    isChanged: false,
  });
  assert.deepEqual(whyOfItem(item, { comment: "" }), {
    reasons: ["dashed"],
    comment: "",
    is_gap: false,
    isChanged: true,
  });
});

test("a name is likeliest the first offer, as far off as was reckoned, until somebody says otherwise", () => {
  const classes = ["typo", "minor", "major"];
  const item = {
    question: { reference: null, offers: ["Harvest"], likely: { Harvest: "minor" } },
    ruling: null,
  };
  assert.deepEqual(nameChoice(item, {}, classes), { reference: "Harvest", cls: "minor", wording: "" });
  assert.equal(nameChoice(item, { cls: "typo" }, classes).cls, "typo");
  assert.equal(nameChoice(item, { reference: "Rain" }, classes).cls, "major"); // it was not even offered
  const ruled = { ...item, ruling: { reference: "Harvest", name_class: "major", wording: "Crop" } };
  assert.deepEqual(nameChoice(ruled, {}, classes), { reference: "Harvest", cls: "major", wording: "Crop" });
});
