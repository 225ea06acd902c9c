// Poster of the acts in an outbox, one request at a time, repeated until each act is answered.

const LONGEST_MS = 45_000; // the server answers after 30 s that its store is busy
const WAITS_MS = [1000, 2000, 3000, 5000, 8000, 10_000]; // after this number of failed requests
const WINDOW_ACTS = 200; // the server refuses more than 500 acts or 1 MB at once
const WINDOW_CHARS = 400_000;
const SIGNED_OUT = "You are signed out. Sign in; your changes are kept in this browser.";

/** @typedef {import("../types.d.ts").Act} Act */
/** @typedef {import("../types.d.ts").PostAnswer} PostAnswer */
/** @typedef {{status: number, answer?: PostAnswer, trouble?: string}} Reply */

/** The first acts of a queue, up to the server's limit.
 * @param {Act[]} queue */
function windowOf(queue) {
  const acts = [];
  let chars = 0;
  for (const act of queue) {
    chars += JSON.stringify(act).length;
    if (acts.length > 0 && (acts.length === WINDOW_ACTS || chars > WINDOW_CHARS)) break;
    acts.push(act);
  }
  return acts;
}

/**
 * @param {object} wiring
 * @param {() => Act[]} wiring.toSend  the waiting acts, none while this copy is stale
 * @param {() => import("../types.d.ts").Endpoint} wiring.endpoint  where to post, which a rerun of the page may change
 * @param {(answer: PostAnswer) => void} wiring.onAnswer
 * @param {() => void} wiring.onLost  the server does not know the tab
 * @param {() => void} wiring.onChange  the connection or the failure changed
 */
export function createPoster({ toSend, endpoint, onAnswer, onLost, onChange }) {
  const leaving = new AbortController();
  let isAsking = false;
  let tries = 0;
  let lastTried = 0;

  /** The server's reply: its answer, or why there is none. Throws if it cannot be reached.
   * @param {Act[]} acts
   * @returns {Promise<Reply>} */
  async function request(acts) {
    const { tab, csrf } = endpoint();
    const response = await fetch(`${location.origin}/desk/${tab}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
      body: JSON.stringify({ acts }),
      signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(LONGEST_MS)]),
    });
    const { status } = response;
    if (response.ok) return { status, answer: await response.json() };
    return { status, trouble: status === 401 ? SIGNED_OUT : await response.text() };
  }

  async function post() {
    const acts = windowOf(toSend());
    if (isAsking || acts.length === 0 || leaving.signal.aborted) return;
    [isAsking, lastTried] = [true, Date.now()];
    const reply = await request(acts).catch(() => null); // refused, cut off or too slow: all mean "not connected"
    isAsking = false;
    if (!leaving.signal.aborted) takeReply(reply, acts);
  }

  /** @param {Reply | null} reply @param {Act[]} acts */
  function takeReply(reply, acts) {
    poster.connected = reply !== null;
    poster.trouble = reply?.trouble ?? "";
    tries = reply?.answer ? 0 : tries + 1;
    if (reply?.answer) onAnswer(reply.answer);
    else if (reply?.status === 404) onLost();
    if (tries === 0 && toSend().some((act) => !acts.includes(act))) post(); // what was done meanwhile
    onChange();
  }

  const poster = {
    connected: true,
    trouble: "",
    /** Post the waiting acts; while an answer is on its way, and after a failure, they go with the next request. */
    send: () => void (tries === 0 && post()),
    tick() {
      if (Date.now() - lastTried > WAITS_MS[Math.max(1, Math.min(tries, WAITS_MS.length)) - 1]) post();
    },
    /** Try at once, regardless of earlier failures: the endpoint is another. */
    retry() {
      tries = 0;
      post();
    },
    stop: () => leaving.abort(),
  };
  return poster;
}
