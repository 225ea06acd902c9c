import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { createOutbox } from "../../../../components/desk/posting/outbox.js";
import { createStorage, openWindow } from "../../browser.js";

const opened = [];

beforeEach(() => {
  openWindow();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1_700_000_000_000 });
});
afterEach(() => {
  for (const outbox of opened.splice(0)) outbox.close();
  mock.timers.reset();
});

/** An outbox whose poster counts how often it is asked to send, and what it would send: {outbox, sent, texts()}. */
function begun(subject = "canvas figure-1") {
  const sent = [];
  const makePoster = ({ toSend }) => ({
    ...{ connected: true, trouble: "", tick: () => {}, retry: () => {}, stop: () => {} },
    send: () => void sent.push([...toSend()]),
  });
  const outbox = createOutbox({ subject, makePoster });
  opened.push(outbox);
  return { outbox, sent, texts: () => sent.at(-1)?.map(({ text }) => text) };
}

const idsOf = (acts) => acts.map(({ id }) => id);

test("each act is sent at once with those that wait, in the order they were done", () => {
  const { outbox, sent, texts } = begun();
  for (const text of ["first", "second", "third"]) outbox.add("lines", { text });
  assert.equal(sent.length, 3);
  assert.deepEqual(texts(), ["first", "second", "third"]);
  const seqs = sent[2].map(({ seq }) => seq);
  assert.ok(seqs[0] < seqs[1] && seqs[1] < seqs[2]);
});

test("an act leaves when it is answered: done, or refused with its reason; what follows it stays", () => {
  const { outbox } = begun();
  const [one, refused, other] = ["one", "refused", "other"].map((text) => outbox.add("lines", { text }));
  assert.deepEqual(outbox.settle([one.id], { [refused.id]: "There is one already." }), [
    { act: refused, message: "There is one already." },
  ]);
  assert.deepEqual(idsOf(outbox.pending()), [other.id]);
  assert.deepEqual(outbox.settle([one.id, "unknown"], {}), []);
});

test("an outbox that is halted keeps its acts and sends nothing until it may", () => {
  const { outbox, texts } = begun();
  outbox.halt(true);
  outbox.add("lines", { text: "kept" });
  assert.deepEqual(texts(), []);
  assert.equal(outbox.status().halted, true);
  outbox.halt(false);
  assert.deepEqual(texts(), ["kept"]);
});

test("how long the oldest act waits is known, and that none does", () => {
  const { outbox } = begun();
  assert.equal(outbox.status().quietMs, 0);
  const act = outbox.add("lines", { text: "slow" });
  mock.timers.tick(1_500);
  assert.deepEqual([outbox.status().quietMs, outbox.status().waiting], [1_500, 1]);
  outbox.settle([act.id], {});
  assert.deepEqual([outbox.status().quietMs, outbox.status().waiting], [0, 0]);
});

test("acts of a tab that is gone are taken over by the next, before its own, and belong to nobody else", () => {
  const before = begun();
  before.outbox.add("lines", { text: "unsent" });
  opened.pop().close();
  mock.timers.tick(10_000);
  const other = begun("canvas figure-2");
  const next = begun();
  next.outbox.add("lines", { text: "new" });
  assert.deepEqual(next.texts(), ["unsent", "new"]);
  assert.deepEqual(other.outbox.pending(), []);
  assert.equal(Object.keys(localStorage).filter((key) => key.startsWith("edgewise.outbox.")).length, 1);
});

test("acts of several tabs that are gone go in the order they were done", async () => {
  const act = (n, text) => ({
    id: `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`,
    seq: n,
    kind: "lines",
    text,
  });
  const place = `edgewise.outbox.${encodeURIComponent("canvas figure-1")}.`;
  localStorage.setItem(`${place}one`, JSON.stringify([act(1, "first"), act(4, "fourth")]));
  localStorage.setItem(`${place}two`, JSON.stringify([act(3, "third"), act(2, "second"), act(4, "fourth")])); // one is there twice
  const { texts } = begun();
  await Promise.resolve(); // the desk is there
  assert.deepEqual(texts(), ["first", "second", "third", "fourth"]);
});

test("acts of a tab that lives are left to it", () => {
  const first = begun();
  first.outbox.add("lines", { text: "mine" });
  const second = begun();
  mock.timers.tick(10_000);
  assert.deepEqual(second.outbox.pending(), []);
});

test("what a tab let go is its own again at once, and another's only after a while", () => {
  const before = begun();
  before.outbox.add("lines", { text: "unsent" });
  opened.pop().close();
  const { sessionStorage: own, localStorage: local } = globalThis;
  openWindow({ local }); // a sibling, which may look at a newer version
  const sibling = begun();
  mock.timers.tick(3_000);
  assert.deepEqual(sibling.outbox.pending(), []);
  openWindow({ local, session: own });
  assert.equal(begun().outbox.pending()[0].text, "unsent");
  opened.pop().close();
  openWindow({ local });
  mock.timers.tick(6_000); // the tab never came back
  assert.equal(sibling.outbox.pending()[0].text, "unsent");
});

test("what is no act in the browser's storage is passed over", () => {
  const key = `edgewise.outbox.${encodeURIComponent("canvas figure-1")}.gone`;
  localStorage.setItem(key, JSON.stringify([{ id: "1", seq: 1, kind: "lines" }, null, "act"]));
  const { outbox } = begun();
  assert.deepEqual(outbox.pending(), []);
  localStorage.setItem(key, "{half");
  mock.timers.tick(1_000);
  assert.deepEqual(outbox.pending(), []);
});

test("without room in the storage acts are sent all the same, and the outbox says so", () => {
  openWindow({ local: createStorage(20) });
  const { outbox, texts } = begun();
  outbox.add("lines", { text: "a long line that finds no room" });
  assert.equal(outbox.status().kept, false);
  assert.deepEqual(texts(), ["a long line that finds no room"]);
});

test("half of an emoji, which could not be stored, is replaced", () => {
  const { outbox } = begun();
  assert.equal(outbox.add("lines", { text: "a\ud83db" }).text, "a\ufffdb");
  assert.equal(outbox.add("lines", { text: "a\ud83d\ude00b" }).text, "a😀b");
});
