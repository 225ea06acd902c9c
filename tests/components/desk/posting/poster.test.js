import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { createPoster } from "../../../../components/desk/posting/poster.js";
import { serving, until } from "../../serving.js";

let close = [];
afterEach(async () => {
  for (const end of close.splice(0)) await end();
});

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
/** As `serving`, closed after the test. */
async function served(answer) {
  const { close: end, ...server } = await serving(answer);
  close.push(end);
  return server;
}

/** A poster of a queue that loses what is answered. */
function posting() {
  const queue = [];
  const told = { lost: 0, refused: {} };
  const poster = createPoster({
    toSend: () => queue,
    endpoint: () => ({ tab: "tab-1", csrf: "token" }),
    onAnswer({ done, refused }) {
      Object.assign(told.refused, refused);
      const answered = new Set([...done, ...Object.keys(refused)]);
      queue.splice(0, queue.length, ...queue.filter(({ id }) => !answered.has(id)));
    },
    onLost: () => void (told.lost += 1),
    onChange: () => {},
  });
  close.push(() => poster.stop());
  const add = (...ids) => {
    queue.push(...ids.map((id) => ({ id, seq: 1, kind: "mark" })));
    poster.send();
  };
  return { poster, queue, told, add };
}

const takesAll = (acts) => ({
  done: acts.map(({ id }) => id),
  refused: {},
  data: null,
});

test("acts that are there travel together, and those done meanwhile in the next request, one at a time", async () => {
  let atOnce = 0;
  let most = 0;
  const { asked } = await served(async (_count, acts) => {
    most = Math.max(most, (atOnce += 1));
    await settled();
    atOnce -= 1;
    return [200, takesAll(acts)];
  });
  const { queue, add } = posting();
  add("a", "b");
  add("c");
  await settled();
  add("d");
  while (queue.length > 0) await settled();
  assert.deepEqual(asked[0], {
    path: "/desk/tab-1",
    token: "token",
    ids: ["a", "b"],
  });
  assert.deepEqual(
    asked.flatMap(({ ids }) => ids),
    ["a", "b", "c", "d"],
  );
  assert.equal(most, 1);
});

test("what is refused goes with its reason, and what is in neither list stays and is not posted in a loop", async () => {
  const { asked } = await served((_count, acts) => [200, { done: [], refused: { [acts[0].id]: "No." }, data: null }]);
  const { queue, told, add } = posting();
  add("a", "b");
  await until(() => queue.length === 1);
  await settled();
  assert.deepEqual(told.refused, { a: "No." });
  assert.deepEqual(
    queue.map(({ id }) => id),
    ["b"],
  );
  assert.equal(asked.length, 1);
});

test("a server that refuses says why, is asked again after a while, and an unknown tab asks for its page", async () => {
  const answers = [
    [503, "Not saved yet; trying again."],
    [401, "Sign in first."],
    [404, ""],
  ];
  const { asked } = await served((count, acts) => answers[count - 1] ?? [200, takesAll(acts)]);
  const { poster, queue, told, add } = posting();
  add("a");
  await until(() => poster.trouble !== "");
  assert.equal(poster.trouble, "Not saved yet; trying again.");
  add("b");
  poster.tick();
  await settled();
  assert.equal(asked.length, 1, "not before a second is over");
  poster.retry();
  await until(() => poster.trouble.startsWith("You"));
  assert.equal(poster.trouble, "You are signed out. Sign in; your changes are kept in this browser.");
  poster.retry();
  await until(() => told.lost > 0);
  assert.deepEqual([told.lost, queue.length], [1, 2]);
  poster.retry();
  await until(() => queue.length === 0);
  assert.deepEqual([poster.trouble, queue.length, poster.connected], ["", 0, true]);
});

test("without a connection acts wait, and are posted when there is one", async () => {
  const { server } = await served((_count, acts) => [200, takesAll(acts)]);
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  const { poster, queue, add } = posting();
  add("a");
  await until(() => !poster.connected);
  assert.deepEqual([poster.connected, queue.length], [false, 1]);
  await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(null)));
  poster.retry();
  await until(() => poster.connected && queue.length === 0);
  assert.deepEqual([poster.connected, queue.length], [true, 0]);
});

test("no more goes at once than the server takes, and the rest follows", async () => {
  const { asked } = await served((_count, acts) => [200, takesAll(acts)]);
  const { queue, add } = posting();
  add(...Array.from({ length: 450 }, (_each, n) => `a${n}`));
  await until(() => queue.length === 0);
  assert.deepEqual(
    asked.map(({ ids }) => ids.length),
    [200, 200, 50],
  );
});
