// Counter of the seconds in which a person is active; reports them. Draws nothing.
//
// The time between two inputs counts if it is no longer than the cut-off; a longer pause counts nothing, nor does any
// time in which the tab is hidden. The count outlives reruns and remounts: it is stored per subject for as long as
// the page is open. A report keeps its id until the server has answered it, so that a report sent twice is counted
// once; the seconds of an unanswered report wait and are sent again.

import { uuid7 } from "../desk/uuid7.js";

const INPUTS = ["pointermove", "pointerdown", "keydown", "wheel", "touchstart", "touchmove"];
const LEAST_MS = 50; // less is not worth a report, and stays for the next
const REMOUNT_MS = 3000; // a redrawn screen removes its components and restores them: no pause of the person
/** @type {Map<string, ReturnType<typeof createCounter>>} subject -> counter */
const counters = new Map();

/** @typedef {import("./types.d.ts").ActivityData} ActivityData */
/** @typedef {import("./types.d.ts").ActivityState["report"]} Report */

/** @param {{parentElement: Node, data: ActivityData, setStateValue: import("../desk/types.d.ts").SetState}} mounted */
export default function activity({ parentElement, data, setStateValue }) {
  for (const [subject, counter] of counters) {
    if (subject !== data.subject) counter.pause();
  }
  let counter = counters.get(data.subject);
  if (!counter) {
    counter = createCounter(data);
    counters.set(data.subject, counter);
  }
  counter.wake(data, (report) => setStateValue("report", report), parentElement);
  return () =>
    setTimeout(() => {
      if (!parentElement.isConnected) counter.rest(parentElement);
    }, 0);
}

/** @param {ActivityData} data */
function createCounter({ subject }) {
  let idleMs = 0;
  let reportMs = 0;
  /** @type {((report: Report) => void) | null} */
  let send = null; // null while the component is not on the page
  /** @type {number | null} */
  let last = null; // time of the last input, null after a pause or while hidden
  let countedMs = 0; // not yet in a report
  /** @type {{id: string, seconds: number, attempt: number} | null} */
  let waiting = null; // sent, not answered
  /** @type {number | null} */
  let timer = null;
  let rested = 0;
  /** @type {Node | null} */
  let home = null; // the element it is mounted in now; the cleanup of an earlier one must not stop it

  function input() {
    const now = performance.now();
    if (last !== null && now - last <= idleMs) countedMs += now - last;
    last = now;
  }

  function report() {
    if (send === null) return;
    if (waiting === null) {
      if (countedMs < LEAST_MS) return;
      waiting = { id: uuid7(), seconds: Math.round(countedMs) / 1000, attempt: 0 };
      countedMs = 0;
    }
    waiting.attempt += 1; // an unchanged value would not reach the server
    send({ subject, ...waiting });
  }

  function hidden() {
    if (document.hidden) {
      last = null;
      report();
    }
  }

  function leave() {
    last = null;
    report();
  }

  /** @param {boolean} on */
  function listen(on) {
    const change = on ? "addEventListener" : "removeEventListener";
    for (const name of INPUTS) document[change](name, input, { capture: true, passive: true });
    document[change]("visibilitychange", hidden);
    window[change]("pagehide", leave);
  }

  return {
    /** @param {ActivityData} data @param {(report: Report) => void} deliver @param {Node} element */
    wake(data, deliver, element) {
      home = element;
      idleMs = data.idle_s * 1000;
      if (send === null) {
        listen(true);
        if (performance.now() - rested > REMOUNT_MS) last = null;
      }
      send = deliver;
      if (waiting !== null && data.answered.includes(waiting.id)) waiting = null;
      if (timer !== null && reportMs === data.report_s * 1000) return;
      clearInterval(timer ?? undefined);
      reportMs = data.report_s * 1000;
      timer = setInterval(report, reportMs);
    },
    /** Pause when another task starts: the time between does not count. */
    pause() {
      this.rest(home);
      last = null;
    },
    /** @param {Node | null} element */
    rest(element) {
      if (send === null || element !== home) return;
      send = null;
      rested = performance.now();
      listen(false);
      clearInterval(timer ?? undefined);
      timer = null;
    },
  };
}
