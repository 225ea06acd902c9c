// Keys and receipt of a desk: presses by name, the sheet of keys, the receipt.

import { count, make, pushButton, targetOf } from "./dom.js";

/** Rows of a table of keys by each press.
 * @param {import("./types.d.ts").KeyTable} table
 * @returns {Map<string, import("./types.d.ts").DeskKey>} */
export const commandsOf = ({ keys }) => new Map(keys.flatMap((row) => row.presses.map((press) => [press, row])));

/** The name of a key press as the table of keys writes it.
 * @param {KeyboardEvent} event */
export function pressOf(event) {
  const isLetter = event.key.length === 1;
  const shift = event.shiftKey && (!isLetter || event.ctrlKey || event.metaKey) ? "Shift+" : "";
  return event.ctrlKey || event.metaKey ? `Ctrl+${shift}${event.key.toLowerCase()}` : `${shift}${event.key}`;
}

/** @param {EventTarget | null} element */
export const isTextField = (element) =>
  /** @type {Partial<Element>} */ (element).matches?.("textarea, select, input:not([type=checkbox])") ?? false;

/** True if the focused element itself handles this press: a button by Enter, a choice of a group by Space.
 * @param {KeyboardEvent} press */
export function isOwnPress(press) {
  const { key } = press;
  const target = targetOf(press);
  const isRadio = target.matches?.("[role=radio]") ?? false;
  const isPressed = !isRadio && (target.matches?.("button, a, summary, input") ?? false);
  return (isPressed && key === "Enter") || ((isPressed || isRadio) && key === " ");
}

const TIME = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** @param {{saved_at: string, receipt: string}} answered */
const savedText = ({ saved_at: at, receipt }) =>
  [at && `Saved ${TIME.format(new Date(at))}`, receipt].filter(Boolean).join(" · ");

/** The store's last answer and the number of waiting acts, in words.
 * @param {import("./types.d.ts").OutboxStatus} status
 * @param {{saved_at: string, receipt: string}} answered */
export function receiptText({ waiting, quietMs, connected, trouble, halted, kept }, answered) {
  const acts = count(waiting, "act");
  if (halted) return waiting > 0 ? `Stopped: ${acts} kept on this computer, not sent` : "Stopped: nothing is sent";
  if (waiting === 0) return savedText(answered);
  const where = kept ? "kept on this computer" : "only in this tab: do not close it";
  if (!connected) return `Not connected: ${acts} ${where}, will be sent`;
  if (trouble !== "") return trouble;
  if (quietMs > 4000) return `Saving… no answer for ${Math.round(quietMs / 1000)} s: ${acts} ${where}`;
  return "Saving…";
}

/** State of the acts (stored, on their way, or held back), for the receipt's colour.
 * @param {import("./types.d.ts").OutboxStatus} status */
export const receiptState = ({ waiting, connected, trouble, halted }) =>
  halted || !connected || trouble ? "held" : waiting > 0 ? "saving" : "saved";

/** Move the focus to the main element, unless something else has it; a button that led here has it until it
 * goes with its page. Not on touch screens, where it would open the keyboard.
 * @param {{isConnected: boolean}} root
 * @param {() => boolean} isWanted
 * @param {() => void} focus
 * @param {number} [patience]  tries, 0.1 s apart */
export function focusWhenFree(root, isWanted, focus, patience = 10) {
  if (!isWanted() || !root.isConnected || !matchMedia("(pointer: fine)").matches) return;
  if (document.activeElement === document.body) focus();
  else if (patience > 0) setTimeout(() => focusWhenFree(root, isWanted, focus, patience - 1), 100);
}

/** Create the sheet of all keys, filled when it is first opened; return the function that opens it.
 * @param {HTMLElement} root
 * @param {import("./types.d.ts").KeyTable} table */
export function createSheet(root, table) {
  const sheet = make("dialog", { class: "cv-sheet", "aria-label": table.label });
  sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
  sheet.addEventListener("keydown", (event) => event.stopPropagation());
  root.append(sheet);
  return {
    open() {
      if (sheet.childElementCount === 0) fillSheet(sheet, table);
      if (!sheet.open) sheet.showModal();
    },
  };
}

/** @param {HTMLDialogElement} sheet
 * @param {import("./types.d.ts").KeyTable} table */
function fillSheet(sheet, { keys, note }) {
  /** @type {Map<string, import("./types.d.ts").DeskKey[]>} */
  const sections = new Map();
  for (const row of keys) sections.set(row.section, [...(sections.get(row.section) ?? []), row]);
  const parts = [...sections].map(([title, rows]) =>
    make(
      "section",
      {},
      make("h3", { text: title }),
      make("dl", {}, ...rows.flatMap((row) => [make("dt", { text: row.keys }), make("dd", { text: row.does })])),
    ),
  );
  sheet.append(
    make(
      "div",
      { class: "cv-sheet-head" },
      make("h2", { text: "Keys" }),
      pushButton("Close", () => sheet.close()),
    ),
    ...(note === "" ? [] : [make("p", { class: "cv-small", text: note })]),
    make("div", { class: "cv-sheet-body" }, ...parts),
  );
}
