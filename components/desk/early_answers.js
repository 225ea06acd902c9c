// The answer to what was sent, asked for at the HTTP door ahead of the page: Streamlit draws all of it before it hands a
// desk its data. Whatever goes wrong here, the page answers too.

/** @param {string} tab  the outbox's
 * @param {(data: any) => void} take  gets the desk's data */
export function createEarlyAnswers(tab, take) {
  /** @type {XMLHttpRequest | null} */
  let asking = null;
  let wanted = "";
  let hasLeft = false;

  function askFor(act) {
    // Not fetch, whose body comes with a second task: by then Streamlit's messages are there, and React is at work.
    const request = (asking = new XMLHttpRequest());
    request.open("GET", `${location.origin}/desk/${tab}?act=${act}`);
    request.responseType = "json";
    request.onloadend = () => {
      asking = null;
      if (hasLeft) return;
      if (request.status === 200 && request.response !== null) take(request.response);
      if (wanted !== act) askFor(wanted);
    };
    request.send();
  }

  return {
    /** One at a time: acts that are sent meanwhile are asked about next.
     * @param {import("./types.d.ts").Outgoing} outgoing */
    ask({ acts }) {
      wanted = acts.at(-1)?.id ?? wanted;
      if (asking === null) askFor(wanted);
    },
    stop() {
      hasLeft = true;
      asking?.abort();
    },
  };
}

/** Whether `next` was made before `shown` was: data that came early is not undone by what was on its way.
 * @param {import("./types.d.ts").DeskData} next @param {import("./types.d.ts").DeskData} shown */
export const isBehind = (next, shown) =>
  next.tab === undefined
    ? next.ledger === shown.ledger && next.answered < shown.answered
    : next.tab === shown.tab && (next.serial ?? 0) < (shown.serial ?? 0);
