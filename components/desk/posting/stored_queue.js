// An outbox's queue stored in the browser: it outlives a reload and a crash, and is taken over when its tab is gone.

import { UUID7 } from "../uuid7.js";

/** @typedef {import("../types.d.ts").Act} Act */

const DEAD_MS = 4500; // a tab that has not written its sign of life for this time is gone
const QUEUES = "edgewise.outbox.";
const LIFE = "edgewise.alive."; // time of the last sign of life of a queue's outbox; negative: time of its release
const TABS = "edgewise.tabs"; // in sessionStorage: the outboxes this browser tab has had

/** @param {any} act
 * @returns {act is Act} */
const isAct = (act) =>
  act !== null &&
  typeof act === "object" &&
  UUID7.test(act.id) &&
  Number.isSafeInteger(act.seq) &&
  typeof act.kind === "string";

/** @param {string} key */
function readQueue(key) {
  try {
    const acts = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(acts) ? acts.filter(isAct) : [];
  } catch {
    return [];
  }
}

/** @returns {string[]} */
function ownOutboxes() {
  try {
    const ids = JSON.parse(sessionStorage.getItem(TABS) ?? "[]");
    return Array.isArray(ids) ? ids : [];
  } catch {
    return []; // then a reloaded tab waits like any other
  }
}

/** @param {string} id */
function noteOutbox(id) {
  try {
    sessionStorage.setItem(TABS, JSON.stringify([...ownOutboxes().slice(-49), id]));
  } catch {
    return; // the same
  }
}

/** The queue of the outbox `tab` of a subject; `kept` is false if the browser has no storage.
 * @param {string} subject
 * @param {string} tab */
export function createStoredQueue(subject, tab) {
  const place = `${QUEUES}${encodeURIComponent(subject)}.`;
  /** @type {Set<string>} */
  const takenKeys = new Set();
  noteOutbox(tab);

  /** @param {string} key */
  function clear(key) {
    localStorage.removeItem(key);
    localStorage.removeItem(LIFE + key.slice(place.length));
  }

  const shelf = {
    kept: true, // false when this browser refuses to store a copy
    read: readQueue,
    /** @param {Act[]} queue */
    keep(queue) {
      try {
        if (queue.length === 0) clear(place + tab);
        else {
          localStorage.setItem(LIFE + tab, String(Date.now())); // first: a queue without it counts as abandoned
          localStorage.setItem(place + tab, JSON.stringify(queue));
        }
        shelf.kept = true;
      } catch {
        shelf.kept = false;
      }
    },
    /** The keys of queues whose tab is gone. */
    orphans() {
      const own = ownOutboxes();
      try {
        return Object.keys(localStorage).filter((key) => {
          if (!key.startsWith(place) || key === place + tab || takenKeys.has(key)) return false;
          const id = key.slice(place.length);
          const mark = Number(localStorage.getItem(LIFE + id) ?? 0);
          return (mark < 0 && own.includes(id)) || Date.now() - Math.abs(mark) > DEAD_MS;
        });
      } catch {
        return [];
      }
    },
    /** Remove queues that this one has taken over, unless the browser has no space for its copy.
     * @param {string[]} keys */
    take(keys) {
      for (const key of keys) {
        takenKeys.add(key);
        if (shelf.kept) clear(key);
      }
    },
    /** Release the queue when the tab or component is closed: the next one to open the subject takes over at once.
     * @param {Act[]} queue */
    letGo(queue) {
      try {
        if (queue.length === 0) localStorage.removeItem(LIFE + tab);
        else localStorage.setItem(LIFE + tab, String(-Date.now()));
      } catch {
        shelf.kept = false;
      }
    },
  };
  return shelf;
}
