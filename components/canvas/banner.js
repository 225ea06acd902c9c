// The banner of the sweep: what is asked about now, and its answers.

import { changes, make, pushButton } from "../desk/dom.js";

/** Returns what draws it. @param {import("./types.d.ts").Canvas} c */
export function createBanner(c) {
  const banner = make("div", { class: "cv-banner", "data-no-drag": true, hidden: true });
  c.viewport.before(banner);
  const isOther = changes();

  return () => {
    const { sweep } = c.ui;
    banner.hidden = sweep === null;
    if (sweep === null) return;
    const isWord = sweep.kind === "word";
    const isSwept = !isWord && (c.graph.view().nodes.get(sweep.name)?.swept ?? false);
    const text = c.sweep.question();
    const { left } = c.sweep.counts();
    if (!isOther(text, left, c.isEditable())) return;
    const settle = isWord ? "Not a variable (T)" : isSwept ? "Not swept (T)" : "No more (T)";
    const buttons = [
      pushButton(settle, () => c.commands.tick(), { class: isSwept ? "" : "cv-primary" }),
      ...(isWord ? [pushButton("Make node", () => c.commands.press("word", sweep.key, true), { title: "Enter" })] : []),
      pushButton("Skip", () => c.sweep.next(), { title: "Skip to the next (S)" }),
      pushButton("End sweep", () => c.sweep.end(), { title: "Esc" }),
    ];
    for (const button of buttons.slice(0, -1)) button.disabled = !c.isEditable();
    const held = banner.contains(c.host.activeElement);
    banner.replaceChildren(
      make("span", { class: "cv-asked", text }),
      make("span", { class: "cv-left", text: `${left} left` }),
      make("span", { class: "cv-row" }, ...buttons),
    );
    if (held) buttons[0].focus({ preventScroll: true });
  };
}
