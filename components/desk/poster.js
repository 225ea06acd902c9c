// Posts what waits in an outbox, one request at a time, again and again until each act is answered.

const LONGEST_MS = 30_000;
const WAITS_MS = [1000, 2000, 3000, 5000, 8000, 10_000]; // after as many requests in vain
const WINDOW_ACTS = 200; // the server refuses more than 500 acts or 1 MB at once
const WINDOW_CHARS = 400_000;
const SIGNED_OUT = "You are signed out. Sign in; your changes are kept in this browser.";

/** The first acts of a queue, as many as the server takes at once. */
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
 * @param {() => import("./types.d.ts").Act[]} wiring.toSend  what waits, nothing while this copy is stale
 * @param {() => import("./types.d.ts").Door} wiring.door  where to post, which a rerun of the page may change
 * @param {(answer: import("./types.d.ts").PostAnswer) => void} wiring.onAnswer
 * @param {() => void} wiring.onLost  the server does not know the tab
 * @param {() => void} wiring.onChange  the connection, or what hinders, is another
 */
export function createPoster({ toSend, door, onAnswer, onLost, onChange }) {
  const leaving = new AbortController();
  let isAsking = false;
  let isGathering = false;
  let tries = 0;
  let lastTried = 0;

  /** @param {Response} response */
  async function take(response) {
    if (response.ok) {
      const answer = await response.json();
      [tries, poster.trouble] = [0, ""];
      onAnswer(answer);
      return;
    }
    tries += 1;
    poster.trouble = response.status === 401 ? SIGNED_OUT : await response.text();
    if (response.status === 404) onLost();
  }

  async function post() {
    const acts = windowOf(toSend());
    if (isAsking || acts.length === 0 || leaving.signal.aborted) return;
    const { tab, csrf } = door();
    [isAsking, lastTried] = [true, Date.now()];
    try {
      const response = await fetch(`${location.origin}/desk/${tab}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
        body: JSON.stringify({ acts }),
        signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(LONGEST_MS)]),
      });
      poster.connected = true;
      await take(response);
    } catch {
      if (leaving.signal.aborted) return;
      [poster.connected, tries] = [false, tries + 1]; // refused, cut off or too slow: all mean "not connected"
    } finally {
      isAsking = false;
    }
    const left = toSend();
    if (tries === 0 && left.some((act) => !acts.includes(act))) post(); // what was done meanwhile
    onChange();
  }

  const poster = {
    connected: true,
    trouble: "",
    /** Posts what was done in this turn of the browser, once it is over. */
    gather() {
      if (isGathering || tries > 0) return;
      isGathering = true;
      queueMicrotask(() => {
        isGathering = false;
        post();
      });
    },
    hurry: () => void (tries === 0 && post()),
    tick() {
      if (Date.now() - lastTried > WAITS_MS[Math.max(1, Math.min(tries, WAITS_MS.length)) - 1]) post();
    },
    /** Tries at once, whatever went wrong before: the door is another. */
    retry() {
      tries = 0;
      post();
    },
    stop: () => leaving.abort(),
  };
  return poster;
}
