// A part of a desk with keys of its own: its handling of presses, buttons, receipt and sheet of keys.

import { make, pushButton, setText } from "./dom.js";
import { commandsOf, createSheet, isOwnPress, isTextField, pressOf, receiptState, receiptText } from "./keys.js";

/** @typedef {import("./types.d.ts").Frame} Frame */
/** @typedef {import("./types.d.ts").PaneKind} PaneKind */

/** Created before the contents of the pane, so that pan and zoom gets its keys after it.
 * @param {Frame} c
 * @param {PaneKind} pane */
export function createPane(c, pane) {
  const run = (/** @type {string} */ name) => void pane.commands()[name]();
  const stop = listenToKeys(c, pane);
  const sheet = createSheet(pane.element, pane.table);
  const buttons = {
    undo: pushButton("Undo", () => run("undo")),
    redo: pushButton("Redo", () => run("redo")),
    help: pushButton("?", sheet.open, { class: "cv-square", title: "All keys (?)", "aria-label": "All keys" }),
  };
  const receipt = make("p", { class: "cv-receipt" });
  return {
    ...{ buttons, receipt, sheet, stop },
    /** Show the state of waiting acts: the receipt, undo and redo, and marks that styles and tests read.
     * @param {import("./types.d.ts").OutboxStatus} status */
    show(status) {
      setText(receipt, receiptText(status, c.data));
      receipt.dataset.state = receiptState(status);
      pane.element.dataset.waiting = String(status.waiting);
      pane.element.dataset.version = String(c.data.version);
      pane.element.dataset.editable = String(c.isEditable());
      buttons.undo.disabled = !c.can("undo");
      buttons.redo.disabled = !c.can("redo");
    },
  };
}

/** Listen to keys; return the function that ends it.
 * @param {Frame} c
 * @param {PaneKind} pane */
function listenToKeys(c, pane) {
  const { element: root } = pane;
  const { host } = c;
  const table = commandsOf(pane.table);

  root.addEventListener("keydown", (event) => {
    if (!(pane.isTyping?.(event.target) ?? isTextField(event.target))) take(event);
    if (isTextField(event.target)) event.stopImmediatePropagation(); // letters are text; Streamlit has shortcuts too
  });

  /** @param {KeyboardEvent} event */
  function take(event) {
    if (event.altKey || event.isComposing || event.defaultPrevented || isOwnPress(event)) return;
    const press = pressOf(event);
    if (!pane.onPress?.(press, event) && !onCommand(press, event)) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // pan and zoom has keys of its own on the same element
  }

  /** @param {string} press @param {KeyboardEvent} event */
  function onCommand(press, event) {
    const row = table.get(press);
    if (row === undefined || !(pane.hears?.(row.command, event) ?? true)) return false;
    if (!event.repeat || row.repeats) pane.commands()[row.command](event);
    return true;
  }

  /** If nothing but a container of the desk has the focus, keys are for the desk: also after a click on empty space.
   * @param {KeyboardEvent} event */
  function onBare(event) {
    const isAround =
      document.activeElement?.contains(host.host ?? host) &&
      !root.contains(/** @type {Node} */ (event.composedPath()[0]));
    if (!isAround || !root.isConnected || document.querySelector("[role=dialog]")) return;
    take(event);
    if (event.defaultPrevented && !root.contains(c.focused())) c.focus();
  }
  if (pane.hearsBare) addEventListener("keydown", onBare, { capture: true });
  return () => removeEventListener("keydown", onBare, { capture: true });
}
