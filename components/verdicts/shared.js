// Shared by the parts of the desk: the open item, navigation, and the open request for a reason.

import { commandsOf } from "../desk/keys.js";
import { draftsOf } from "../desk/shelf.js";
import { storedSteps } from "./history.js";
import { KEY_TABLE } from "./key_table.js";
import { RULINGS, nextMissing } from "./view.js";

const textOr = (value) => (typeof value === "string" ? value : null);

/** Add them to the desk's frame.
 * @param {import("../desk/types.d.ts").Frame} c */
export function equip(c, ui) {
  Object.assign(c, {
    ui,
    drafts: draftsOf("verdicts", c.subject, ({ note: said, at, done, undone }) => ({
      note: textOr(said),
      at: Number.isInteger(at) ? at : null,
      done: storedSteps(done),
      undone: storedSteps(undone),
    })),
    /** The version that the verdict after review will have once this person's unsent rulings are saved. */
    seenReview: () => c.data.review_version + c.pending().filter(({ kind }) => RULINGS.includes(kind)).length,
    item: () => c.view.items[Math.min(ui.at, c.view.items.length - 1)],
    /** True if an item's own labels are fixed. */
    isFixed: (item) => c.data.label_first && (item.is_compared || item.comparing),
    noteField(key) {
      if (ui.field === key) return;
      ui.field = key;
      c.draw();
    },
    stepField(by) {
      const keys = c.data.fields.map(({ key }) => key);
      const from = keys.indexOf(ui.field);
      c.noteField(keys[(from + by + keys.length) % keys.length]);
      c.focus();
    },
    /** Open the item at this place of the list, in all three parts. */
    go(n) {
      ui.at = n;
      ui.asks = "";
      ui.last = [];
      const item = c.item();
      ui.field = item.isDone ? null : nextMissing(c.data, item, null);
      c.drafts.keep({ at: item.number });
      c.setState("item", item.number);
      c.draw();
      c.focus();
    },
    /** Ask for a reason: of an override, a flag, or for skipping. */
    ask_(what) {
      ui.asks = what;
      c.draw();
      const part = what === "link" ? c.counterparts : c.labels.reason;
      part.open();
      c.draw();
      part.element.scrollIntoView({ block: "nearest" });
    },
    /** Ask the page for the next sheet. */
    tellNext() {
      if (ui.isGoing || c.data.state === "open") return;
      ui.isGoing = true;
      c.ask("next");
      c.draw();
    },
  });
}

const COMMANDS = commandsOf(KEY_TABLE);

/** Return true if a press answers the open request: a reason, or a counterpart. Letters are the reason wherever the focus
 * is, and no other key of the sheet acts: words typed too early would rule on the item or skip the sheet.
 * @param {import("../desk/types.d.ts").Frame} c
 * @param {string} press */
export function answers(c, press) {
  const { asks } = c.ui;
  if (asks === "") return false;
  if (press === "Escape") c.commands.stopReason();
  else if (asks === "link" && /^[1-9]$/.test(press)) c.counterparts.choose(Number(press) - 1);
  else if (asks === "keep" && /^[1-8]$/.test(press)) c.commands.chooseReason(Number(press) - 1);
  else if (press.length === 1 && ["keep", "flag", "skip"].includes(asks)) c.labels.reason.type(press);
  else return press !== "Enter" && COMMANDS.has(press);
  return true;
}
