// The entry line for edges. Text that is not yet accepted is stored in this browser.

import { make, pushButton, setText } from "../desk/dom.js";
import { AS_TEXT, shelfOf } from "../desk/shelf.js";
import { nameAt } from "./names.js";

const MAX_LINES_CHARS = 200_000;

export function createLine(c, subject) {
  const draft = shelfOf(`edgewise.draft.${encodeURIComponent(subject)}`, AS_TEXT);
  let isPasted = false;
  const line = make("textarea", {
    class: "line",
    rows: "1",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    placeholder: "Price -> Demand     A -> B; C     A ->- B",
    "aria-label": "Type an edge",
    "aria-autocomplete": "list",
    "aria-controls": "names",
    enterkeyhint: "done",
  });
  const addButton = pushButton("Add", () => accept(), { class: "primary" });
  const hint = make("p", { class: "hint", role: "status" });
  const entry = make("div", { class: "entry" }, line, addButton);
  line.value = draft.read() ?? "";

  let fitted = { text: "", width: -1 };

  function fit() {
    line.style.height = "auto";
    line.style.height = `${Math.min(line.scrollHeight + 2, 190)}px`;
    fitted = { text: line.value, width: line.clientWidth };
    judge();
  }

  /** Check the text: its message, and whether it can be added. */
  function judge() {
    const lines = line.value.split("\n").filter((text) => text.trim() !== "").length;
    const tooLong = line.value.length > MAX_LINES_CHARS;
    setText(
      hint,
      tooLong
        ? `The text has ${line.value.length} characters; at most ${MAX_LINES_CHARS} can be added at once. Paste it in parts.`
        : lines > 1
          ? `${lines} lines: Enter adds all`
          : "",
    );
    addButton.disabled = !c.isEditable() || tooLong || line.value.trim() === "";
  }

  function accept() {
    if (addButton.disabled) return;
    const text = line.value.trimEnd(); // leading empty lines count in the numbers of faulty ones
    c.completion.close();
    line.value = "";
    draft.write(null);
    c.addLines(text, isPasted);
    isPasted = false;
    judge(); // its height follows with the frame that draws the lines
    line.focus();
  }

  const nameAtCaret = () => nameAt(line.value, line.selectionStart);

  line.addEventListener("input", () => {
    draft.write(line.value || null);
    if (line.value === "") isPasted = false;
    fit();
    if (line.value.includes("\n")) c.completion.close();
    else c.completion.open(line, nameAtCaret);
  });
  line.addEventListener("paste", (event) => {
    isPasted ||= (event.clipboardData?.getData("text/plain") ?? "").trim().includes("\n");
  });
  line.addEventListener("blur", () => c.completion.close());
  line.addEventListener("keydown", (event) => {
    if (event.isComposing || c.completion.onKey(event)) return;
    if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      accept();
    } else if (event.key === "ArrowDown" && !line.value.includes("\n")) {
      event.preventDefault();
      if (line.value === "") c.list.focusRow();
      else c.completion.open(line, nameAtCaret, { all: true });
    } else if (event.key === "Escape") c.toFigure();
  });

  return {
    entry,
    hint,
    judge,
    /** Fit the height to the text, if the text or the width changed. */
    fitIfWider() {
      if (line.value !== fitted.text || line.clientWidth !== fitted.width) fit();
    },
    focus: (how) => line.focus(how),
    isEmpty: () => line.value === "",
    is: (element) => element === line,
    /** After new data, show and enable the line as needed. */
    draw() {
      line.readOnly = !c.isEditable();
      entry.hidden = !c.data.editable && line.value === "";
    },
  };
}
