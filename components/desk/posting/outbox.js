// The outbox: acts of the user, stored until the server confirms them.
//
// All unanswered acts are posted, again and again until the server answers for each. Ids are made here (UUIDv7), so a
// repeat is harmless. The list is also in localStorage, under the subject and a tab id: it outlives a reload, a crash
// of the tab and a restart of the server. A list whose tab is gone is taken over by the next outbox of the same subject:
// at once if the same browser tab opens it again, by another tab only after a while, since that one may show a newer
// version.

import { createStoredQueue } from "./stored_queue.js";
import { uuid7 } from "../uuid7.js";

/** @typedef {import("../types.d.ts").Act} Act */
/** @typedef {import("../types.d.ts").OutboxStatus} OutboxStatus */
/** @typedef {ReturnType<typeof import("./poster.js").createPoster>} Poster */

const TICK_MS = 1000;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A half of an emoji cannot be stored as UTF-8 and would block every act behind it.
 * @param {unknown} value */
const storable = (value) => (typeof value === "string" ? value.replace(LONE_SURROGATE, "\ufffd") : value);

/**
 * @param {object} wiring
 * @param {string} wiring.subject  names the person, the thing worked on and the component; another subject is another queue
 * @param {(wiring: {toSend: () => Act[], onChange: () => void}) => Poster} wiring.makePoster
 *   toSend: the waiting acts, none while this copy is stale
 * @param {() => void} [wiring.onChange]  called when the waiting acts or the connection changed
 */
export function createOutbox({ subject, makePoster, onChange = () => {} }) {
  const shelf = createStoredQueue(subject, uuid7());
  /** @type {Act[]} */
  let queue = [];
  let halted = false;
  let waitingSince = 0;
  let lastSeq = 0;
  const poster = makePoster({ toSend: () => (halted ? [] : queue), onChange });
  const keep = () => shelf.keep(queue);
  const letGo = () => shelf.letGo(queue);

  function adopt() {
    const orphans = halted ? [] : shelf.orphans();
    if (orphans.length === 0) return;
    const known = new Set(queue.map((act) => act.id));
    for (const act of orphans.flatMap(shelf.read)) {
      if (!known.has(act.id)) queue.push(act);
      known.add(act.id);
    }
    queue.sort((a, b) => a.seq - b.seq || (a.id < b.id ? -1 : 1));
    if (queue.length > 0 && waitingSince === 0) waitingSince = Date.now();
    keep(); // before the originals go: a crash between the two leaves two copies with the same ids
    shelf.take(orphans);
    queueMicrotask(() => {
      poster.send(); // the first adoption happens while the component is still being built
      onChange();
    });
  }

  function tick() {
    adopt();
    if (queue.length === 0) return;
    keep();
    if (halted) return;
    poster.tick();
    onChange();
  }

  const timer = setInterval(tick, TICK_MS);
  addEventListener("pagehide", letGo);
  addEventListener("pageshow", keep);
  addEventListener("online", tick);
  adopt();

  return {
    /** Queue one act and post it; returns it with its id.
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
      poster.send();
      onChange();
      return act;
    },
    /** Drop what the server answered; returns the acts it refused with its reasons, so that their text can be restored.
     * @param {string[]} done
     * @param {Record<string, string>} refused */
    settle(done, refused) {
      const reasons = new Map(Object.entries(refused));
      const returned = queue.filter((act) => reasons.has(act.id));
      const ids = new Set([...done, ...reasons.keys()]);
      const left = queue.filter((act) => !ids.has(act.id));
      if (left.length < queue.length) {
        queue = left;
        waitingSince = queue.length > 0 ? Date.now() : 0;
        keep();
      }
      return returned.map((act) => ({ act, message: reasons.get(act.id) }));
    },
    /** Set whether this copy is stale: then everything is kept, and nothing sent.
     * @param {boolean} isHalted */
    halt(isHalted) {
      const isResumed = halted && !isHalted;
      halted = isHalted;
      if (isResumed) poster.send();
    },
    pending: () => queue.slice(),
    /** @type {() => OutboxStatus} */
    status: () => ({
      waiting: queue.length,
      quietMs: queue.length > 0 ? Date.now() - waitingSince : 0,
      connected: poster.connected,
      trouble: poster.trouble,
      halted,
      kept: shelf.kept,
    }),
    /** Stop; what is unsent stays in localStorage for the next outbox of this subject. */
    close() {
      clearInterval(timer);
      poster.stop();
      removeEventListener("pagehide", letGo);
      removeEventListener("pageshow", keep);
      removeEventListener("online", tick);
      letGo();
    },
  };
}
