// Redrawing of the page after an answer to the desk: it shows more than the desk, such as the remaining work.

const QUIET_MS = 300;
const APART_MS = 2000;

/** @param {() => void} draw */
export function createRedraw(draw) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let waitsSince = 0;
  let last = 0;

  function now() {
    clearTimeout(timer);
    [waitsSince, last] = [0, Date.now()];
    draw();
  }

  return {
    now,
    /** Redraw after a short quiet, and at most every two seconds. */
    soon() {
      clearTimeout(timer);
      waitsSince ||= Date.now();
      const at = Math.max(last + APART_MS, Math.min(Date.now() + QUIET_MS, waitsSince + APART_MS));
      timer = setTimeout(now, at - Date.now());
    },
    stop: () => clearTimeout(timer),
  };
}
