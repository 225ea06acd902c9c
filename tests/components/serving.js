// A real HTTP server that a desk posts to.

import { createServer } from "node:http";

const soon = () => new Promise((resolve) => setTimeout(resolve, 10));

/** Wait until it holds; if it never does, the test ends by its own time limit. */
export async function until(holds) {
  while (!holds()) await soon();
}

/** A server that takes each request through `answer(count, acts)` → [status, body], and what it was asked: {asked, server,
 * close()}. Scripts find it as the origin of their page. */
export async function serving(answer) {
  const asked = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += part));
    request.on("end", async () => {
      const { acts } = JSON.parse(body);
      asked.push({ path: request.url, token: request.headers["x-csrf-token"], ids: acts.map(({ id }) => id) });
      const [status, said] = await answer(asked.length, acts);
      response.writeHead(status).end(typeof said === "string" ? said : JSON.stringify(said));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(null)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  globalThis.location = /** @type {any} */ ({ origin: `http://127.0.0.1:${port}` });
  const close = () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve)));
  return { asked, server, close };
}
