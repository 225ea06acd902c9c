// The outbox: what a person did, kept until the server says it is stored.
//
// Streamlit drops component events that come faster than its script runs, so no act is sent as an event. The whole
// list of unacknowledged acts is sent as component state, again and again, until the server returns their ids. Ids
// are made here (UUIDv7), so a repeat is harmless. The list also lies in localStorage, under the subject and a tab
// id: it outlives a reload, a crash of the tab and a restart of the server. A list whose tab is gone is taken over
// by the next outbox of the same subject: at once if the same browser tab opens it again, by another tab only after
// a while, since that one may look at a newer version.

import { createKeptQueue } from "./kept_queue.js";
import { uuid7 } from "./uuid7.js";

/** @typedef {import("./types.d.ts").Act} Act */
/** @typedef {import("./types.d.ts").Answer} Answer */
/** @typedef {import("./types.d.ts").Outgoing} Outgoing */
/** @typedef {import("./types.d.ts").OutboxStatus} OutboxStatus */

const TICK_MS = 1000;
const GATHER_MS = 60; // acts closer than this travel together: each send interrupts a running script
const QUIET_MS = 4000; // an answer that takes longer is worth telling the person about
const PROBE_MS = 3000;
const WAITS_MS = [3000, 3000, 5000, 8000, 10000];
const WINDOW_ACTS = 200; // the server refuses more than 500 acts or 1 MB at once
const WINDOW_CHARS = 400_000;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

// A half of an emoji cannot be stored as UTF-8 and would block every act behind it.
const storable = (value) => (typeof value === "string" ? value.replace(LONE_SURROGATE, "\ufffd") : value);

function healthAddress() {
  /** @type {HTMLScriptElement | null} */
  const script = document.querySelector('script[src*="/static/js/"]');
  return script === null ? null : `${script.src.split("/static/js/")[0]}/_stcore/health`;
}

async function isReachable(address) {
  try {
    return (
      await fetch(address, {
        cache: "no-store",
        signal: AbortSignal.timeout(2500),
      })
    ).ok;
  } catch {
    return false; // refused, cut off or too slow: all mean "not connected" to the person
  }
}

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

/** Sends what waits, again and again until it is answered, and finds out whether the server is there at all.
 * @param {{tab: string, toSend: () => Act[], deliver: (outgoing: Outgoing) => void, onChange: () => void}} wiring
 *   toSend: what waits, nothing while this copy is stale */
function createCourier({ tab, toSend, deliver, onChange }) {
  let attempt = 0;
  let tries = 0;
  let lastSent = 0;
  let probed = 0;
  let sent = new Set();
  /** @type {number | null} */
  let gathering = null;

  function flush() {
    clearTimeout(gathering ?? undefined);
    gathering = null;
    const acts = windowOf(toSend());
    if (acts.length === 0) return;
    sent = new Set(acts.map((act) => act.id));
    lastSent = Date.now();
    deliver({ tab, attempt, acts });
  }

  function resend() {
    attempt += 1; // an unchanged state value would not start a script run
    tries += 1;
    flush();
  }

  async function probe() {
    const address = healthAddress();
    if (address === null || Date.now() - probed < PROBE_MS) return;
    probed = Date.now();
    const answered = await isReachable(address);
    if (answered && !courier.connected) resend();
    courier.connected = answered;
    onChange();
  }

  const courier = {
    connected: true,
    hasSent: (act) => sent.has(act.id),
    gather() {
      if (gathering !== null || toSend().length === 0) return;
      const waits = GATHER_MS - (Date.now() - lastSent);
      const mine = (gathering = setTimeout(flush, Math.max(0, waits)));
      // A timer of 0 comes after the browser has laid out and painted what the act changed.
      if (waits <= 0) queueMicrotask(() => gathering === mine && flush());
    },
    /** As gather, but what may leave now leaves before this returns, so that the server works while the desk is drawn. */
    hurry() {
      if (toSend().length > 0 && Date.now() - lastSent >= GATHER_MS) flush();
      else courier.gather();
    },
    answered() {
      tries = 0;
      courier.connected = true;
    },
    /** @param {number} waitingSince */
    tick(waitingSince) {
      const wait = WAITS_MS[Math.min(tries, WAITS_MS.length - 1)];
      if (courier.connected && Date.now() - lastSent > wait) resend();
      if (Date.now() - waitingSince > QUIET_MS) probe();
    },
    stop: () => clearTimeout(gathering ?? undefined),
  };
  return courier;
}

/** @typedef {(wiring: {tab: string, toSend: () => Act[], onChange: () => void}) => any} MakeCourier */

/**
 * @param {object} wiring
 * @param {string} wiring.subject  names the person, the thing worked on and the component; another subject is another queue
 * @param {(outgoing: Outgoing) => void} wiring.send  hand it to setStateValue
 * @param {MakeCourier} [wiring.courier]  makes what sends the acts
 * @param {() => void} [wiring.onChange]  called when the waiting acts or the connection changed
 */
export function createOutbox({ subject, send, onChange = () => {}, courier: make }) {
  const tab = uuid7();
  const shelf = createKeptQueue(subject, tab);
  /** @type {Act[]} */
  let queue = [];
  let deliver = send;
  let halted = false;
  let waitingSince = 0;
  let lastSeq = 0;
  const toSend = () => (halted ? [] : queue);
  const deliverer = (wiring) => createCourier({ ...wiring, deliver: (outgoing) => deliver(outgoing) });
  const courier = (make ?? deliverer)({ tab, toSend, onChange });
  const keep = () => shelf.keep(queue);
  const letGo = () => shelf.letGo(queue);

  function adopt() {
    const found = halted ? [] : shelf.orphans();
    if (found.length === 0) return;
    const known = new Set(queue.map((act) => act.id));
    for (const act of found.flatMap(shelf.read)) {
      if (!known.has(act.id)) queue.push(act);
      known.add(act.id);
    }
    queue.sort((a, b) => a.seq - b.seq || (a.id < b.id ? -1 : 1));
    if (queue.length > 0 && waitingSince === 0) waitingSince = Date.now();
    keep(); // before the originals go: a crash between the two leaves two copies with the same ids
    shelf.take(found);
    courier.gather();
    queueMicrotask(onChange); // the first adoption happens while the component is still being built
  }

  function tick() {
    adopt();
    if (queue.length === 0) return;
    keep();
    if (halted) return;
    courier.tick(waitingSince);
    onChange();
  }

  function drop(ids) {
    const before = queue.length;
    queue = queue.filter((act) => !ids.has(act.id));
    if (queue.length === before) return;
    courier.answered?.();
    waitingSince = queue.length > 0 ? Date.now() : 0;
    keep();
    if (courier.hasSent && !queue.every(courier.hasSent)) courier.gather();
  }

  const timer = setInterval(tick, TICK_MS);
  addEventListener("pagehide", letGo);
  addEventListener("pageshow", keep);
  addEventListener("online", tick);
  adopt();

  return {
    tab,
    /** Queue one act; returns it with its id.
     * @param {string} kind
     * @param {object} [payload]
     * @param {{isLast?: boolean}} [how]  isLast: no other act follows in this turn of the browser's, so it leaves at once
     * @returns {Act} */
    add(kind, payload = {}, { isLast = false } = {}) {
      lastSeq = Math.max(lastSeq + 1, Date.now());
      const clean = Object.entries(payload).map(([name, value]) => [name, storable(value)]);
      const act = {
        ...Object.fromEntries(clean),
        id: uuid7(),
        seq: lastSeq,
        kind,
      };
      if (queue.length === 0) waitingSince = Date.now();
      queue.push(act);
      keep();
      if (isLast) courier.hurry();
      else courier.gather();
      onChange();
      return act;
    },
    /** Take the server's answer; returns the acts it refused, with its reason, for their text to go back.
     * @param {Answer} answer */
    receive({ acked = [], refused = {}, halted: stop = false, send: latest = deliver }) {
      deliver = latest;
      const resumed = halted && !stop;
      halted = stop;
      const reasons = new Map(Object.entries(refused));
      const returned = queue.filter((act) => reasons.has(act.id));
      drop(new Set([...acked, ...reasons.keys()]));
      if (resumed) courier.gather();
      return returned.map((act) => ({ act, message: reasons.get(act.id) }));
    },
    /** Whether an act waits for longer than this. */
    waitsLongerThan: (ms) => queue.length > 0 && Date.now() - waitingSince > ms,
    pending: () => queue.slice(),
    /** @type {() => OutboxStatus} */
    status: () => ({
      waiting: queue.length,
      quietMs: queue.length > 0 ? Date.now() - waitingSince : 0,
      connected: courier.connected,
      trouble: courier.trouble ?? "",
      halted,
      kept: shelf.kept,
    }),
    /** Stop; what is unsent stays in localStorage for the next outbox of this subject. */
    close() {
      clearInterval(timer);
      courier.stop();
      removeEventListener("pagehide", letGo);
      removeEventListener("pageshow", keep);
      removeEventListener("online", tick);
      letGo();
    },
  };
}
