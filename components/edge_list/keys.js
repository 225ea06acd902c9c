// The keys of the edge desk: the sheet that shows them all, and the line of the most used ones below the list.

import { make, pushButton } from "../desk/dom.js";

/** @type {[string, [string, string][]][]} */
const KEYS = [
  [
    "In the line",
    [
      ["Enter", "add what is typed"],
      ["Shift Enter", "one more line"],
      ["Tab", "insert the first or chosen name"],
      ["↑ ↓", "choose a name; ↓ in an empty line goes to the list"],
      ["Esc", "close the list of names, or return to the figure"],
    ],
  ],
  [
    "In the list",
    [
      ["↑ ↓ Home End", "move"],
      ["+ − 0", "sign: plus, minus, none"],
      ["d", "delay mark on or off"],
      ["f", "next flag"],
      ["n", "note"],
      ["Enter", "edit source and sink"],
      ["Delete", "remove the edge"],
      ["Esc", "back to the line"],
    ],
  ],
  [
    "Anywhere in the edge list",
    [
      ["Ctrl Z", "undo"],
      ["Ctrl Shift Z, Ctrl Y", "redo"],
      ["?", "show all keys (outside text fields)"],
    ],
  ],
  [
    "Syntax of the line",
    [
      ["A -> B", "an edge"],
      ["A ->+ B   A ->- B", "with its sign"],
      ["A -> B; C", "several sinks"],
      ["A -> B -> C", "a chain"],
      ["A <-> B", "both ways"],
      ['"A; old" -> B', "quotes around a name with ; or ->"],
    ],
  ],
];
const MOST_USED = [
  ["Enter", "add"],
  ["↑↓", "list"],
  ["+ − 0", "sign"],
  ["d", "delay"],
  ["f", "flag"],
  ["n", "note"],
  ["Del", "remove"],
  ["Ctrl Z", "undo"],
  ["?", "all keys"],
];

export function createKeyCaption() {
  const caption = make("p", { class: "caption" });
  for (const [key, word] of MOST_USED) {
    caption.append(make("span", {}, make("b", { text: key }), document.createTextNode(` ${word}`)), " ");
  }
  return caption;
}

/** The sheet of all keys, a dialog that a click beside it closes. */
export function createKeySheet() {
  const sheet = make("dialog", { class: "sheet", "aria-label": "Edge list keys" });
  const closeSheet = pushButton("Close", () => sheet.close());
  sheet.append(
    make("div", { class: "sheet-head" }, make("h2", { text: "Keys" }), closeSheet),
    ...KEYS.map(([title, pairs]) =>
      make(
        "section",
        {},
        make("h3", { text: title }),
        make("dl", {}, ...pairs.flatMap(([key, word]) => [make("dt", { text: key }), make("dd", { text: word })])),
      ),
    ),
  );
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet) sheet.close();
  });
  return sheet;
}
