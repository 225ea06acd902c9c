// The outbox: what a person did, kept until the server says it is stored.
//
// Streamlit drops component events that come faster than its script runs, so no act is sent as an event. The whole
// list of unacknowledged acts is sent as component state, again and again, until the server returns their ids. Ids
// are made here (UUIDv7), so a repeat is harmless. The list also lies in localStorage, under the subject and a tab
// id: it outlives a reload, a crash of the tab and a restart of the server. A list whose tab is gone is taken over
// by the next outbox of the same subject: at once if the same browser tab opens it again, by another tab only after
// a while, since that one may look at a newer version.

import { UUID7, uuid7 } from "./uuid7.js";

/** @typedef {import("./types.d.ts").Act} Act */
/** @typedef {import("./types.d.ts").Answer} Answer */
/** @typedef {import("./types.d.ts").Outgoing} Outgoing */
/** @typedef {import("./types.d.ts").OutboxStatus} OutboxStatus */

const TICK_MS = 1000;
const GATHER_MS = 60; // acts closer than this travel together: each send interrupts a running script
const DEAD_MS = 4500; // a tab that has not written its sign of life for so long is gone
const QUIET_MS = 4000; // an answer that takes longer is worth telling the person about
const WAITS_MS = [3000, 3000, 5000, 8000, 10000];
const WINDOW_ACTS = 200; // the server refuses more than 500 acts or 1 MB at once
const WINDOW_CHARS = 400_000;
const QUEUES = "edgewise.outbox.";
const LIFE = "edgewise.alive."; // when a queue's outbox last lived; negative: when it was let go
const TABS = "edgewise.tabs"; // in sessionStorage: the outboxes this browser tab has had
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

// A half of an emoji cannot be stored as UTF-8 and would block every act behind it.
const storable = (value) => (typeof value === "string" ? value.replace(LONE_SURROGATE, "\ufffd") : value);

const isAct = (act) =>
  act !== null &&
  typeof act === "object" &&
  UUID7.test(act.id) &&
  Number.isSafeInteger(act.seq) &&
  typeof act.kind === "string";

function readQueue(key) {
  try {
    const acts = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(acts) ? acts.filter(isAct) : [];
  } catch {
    return [];
  }
}

function ownOutboxes() {
  try {
    const ids = JSON.parse(sessionStorage.getItem(TABS) ?? "[]");
    return Array.isArray(ids) ? ids : [];
  } catch {
    return []; // then a reloaded tab waits like any other
  }
}

function noteOutbox(id) {
  try {
    sessionStorage.setItem(TABS, JSON.stringify([...ownOutboxes().slice(-49), id]));
  } catch {
    return; // the same
  }
}

function healthAddress() {
  /** @type {HTMLScriptElement | null} */
  const script = document.querySelector('script[src*="/static/js/"]');
  return script === null ? null : `${script.src.split("/static/js/")[0]}/_stcore/health`;
}

/**
 * @param {object} wiring
 * @param {string} wiring.subject  names the person, the thing worked on and the component; another subject is another queue
 * @param {(outgoing: Outgoing) => void} wiring.send  hand it to setStateValue
 * @param {() => void} [wiring.onChange]  called when the waiting acts or the connection changed
 */
export function createOutbox({ subject, send, onChange = () => {} }) {
  const tab = uuid7();
  const place = `${QUEUES}${encodeURIComponent(subject)}.`;
  /** @type {Act[]} */
  let queue = [];
  let deliver = send;
  let halted = false;
  let attempt = 0;
  let tries = 0;
  let lastSent = 0;
  let waitingSince = 0;
  let lastSeq = 0;
  let sent = new Set();
  const taken = new Set();
  /** @type {number | null} */
  let gathering = null;
  let connected = true;
  let probed = 0;
  let kept = true; // false when this browser refuses to keep a copy

  function keep() {
    try {
      if (queue.length === 0) {
        localStorage.removeItem(place + tab);
        localStorage.removeItem(LIFE + tab);
      } else {
        localStorage.setItem(LIFE + tab, String(Date.now())); // first: a queue without it counts as abandoned
        localStorage.setItem(place + tab, JSON.stringify(queue));
      }
      kept = true;
    } catch {
      kept = false;
    }
  }

  function orphans() {
    const own = ownOutboxes();
    try {
      return Object.keys(localStorage).filter((key) => {
        if (!key.startsWith(place) || key === place + tab || taken.has(key)) return false;
        const id = key.slice(place.length);
        const mark = Number(localStorage.getItem(LIFE + id) ?? 0);
        return (mark < 0 && own.includes(id)) || Date.now() - Math.abs(mark) > DEAD_MS;
      });
    } catch {
      return [];
    }
  }

  function adopt() {
    const found = halted ? [] : orphans();
    if (found.length === 0) return;
    const known = new Set(queue.map((act) => act.id));
    for (const act of found.flatMap(readQueue)) {
      if (!known.has(act.id)) queue.push(act);
      known.add(act.id);
    }
    queue.sort((a, b) => a.seq - b.seq || (a.id < b.id ? -1 : 1));
    if (queue.length > 0 && waitingSince === 0) waitingSince = Date.now();
    keep(); // before the originals go: a crash between the two leaves two copies with the same ids
    for (const key of found) {
      taken.add(key);
      if (!kept) continue; // no room for our copy: the old one stays the only one
      localStorage.removeItem(key);
      localStorage.removeItem(LIFE + key.slice(place.length));
    }
    gather();
    queueMicrotask(onChange); // the first adoption happens while the component is still being built
  }

  function nextWindow() {
    const acts = [];
    let chars = 0;
    for (const act of queue) {
      chars += JSON.stringify(act).length;
      if (acts.length > 0 && (acts.length === WINDOW_ACTS || chars > WINDOW_CHARS)) break;
      acts.push(act);
    }
    return acts;
  }

  function flush() {
    gathering = null;
    if (halted || queue.length === 0) return;
    const acts = nextWindow();
    sent = new Set(acts.map((act) => act.id));
    lastSent = Date.now();
    deliver({ tab, attempt, acts });
  }

  function gather() {
    if (gathering !== null || halted || queue.length === 0) return;
    gathering = setTimeout(flush, Math.max(0, GATHER_MS - (Date.now() - lastSent)));
  }

  async function probe() {
    const address = healthAddress();
    if (address === null || Date.now() - probed < 3000) return;
    probed = Date.now();
    let answered;
    try {
      answered = (await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(2500) })).ok;
    } catch {
      answered = false; // refused, cut off or too slow: all mean "not connected" to the person
    }
    if (answered && !connected) resend();
    connected = answered;
    onChange();
  }

  function resend() {
    attempt += 1; // an unchanged state value would not start a script run
    tries += 1;
    flush();
  }

  function tick() {
    adopt();
    if (queue.length === 0) return;
    keep();
    if (halted) return;
    if (connected && Date.now() - lastSent > WAITS_MS[Math.min(tries, WAITS_MS.length - 1)]) resend();
    if (Date.now() - waitingSince > QUIET_MS) probe();
    onChange();
  }

  function letGo() {
    try {
      if (queue.length === 0) localStorage.removeItem(LIFE + tab);
      else localStorage.setItem(LIFE + tab, String(-Date.now()));
    } catch {
      kept = false;
    }
  }

  function drop(ids) {
    const before = queue.length;
    queue = queue.filter((act) => !ids.has(act.id));
    if (queue.length === before) return;
    tries = 0;
    connected = true;
    waitingSince = queue.length > 0 ? Date.now() : 0;
    keep();
    if (queue.some((act) => !sent.has(act.id))) gather();
  }

  const timer = setInterval(tick, TICK_MS);
  addEventListener("pagehide", letGo);
  addEventListener("pageshow", keep);
  addEventListener("online", tick);
  noteOutbox(tab);
  adopt();

  return {
    tab,
    /** Queue one act; returns it with its id.
     * @param {string} kind
     * @param {object} [payload]
     * @returns {Act} */
    add(kind, payload = {}) {
      lastSeq = Math.max(lastSeq + 1, Date.now());
      const clean = Object.entries(payload).map(([name, value]) => [name, storable(value)]);
      const act = { ...Object.fromEntries(clean), id: uuid7(), seq: lastSeq, kind };
      if (queue.length === 0) waitingSince = Date.now();
      queue.push(act);
      keep();
      gather();
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
      if (resumed) gather();
      return returned.map((act) => ({ act, message: reasons.get(act.id) }));
    },
    pending: () => queue.slice(),
    /** @type {() => OutboxStatus} */
    status: () => ({
      waiting: queue.length,
      quietMs: queue.length > 0 ? Date.now() - waitingSince : 0,
      connected,
      halted,
      kept,
    }),
    /** Stop; what is unsent stays in localStorage for the next outbox of this subject. */
    close() {
      clearInterval(timer);
      clearTimeout(gathering ?? undefined);
      removeEventListener("pagehide", letGo);
      removeEventListener("pageshow", keep);
      removeEventListener("online", tick);
      letGo();
    },
  };
}
