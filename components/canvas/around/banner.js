// The banner of the sweep: the current question and its answers.

import { changes, make, pushButton } from "../../desk/dom.js";

/** Return its draw function. @param {import("../types.d.ts").Canvas} c */
export function createBanner(c) {
  const banner = make("div", { class: "cv-banner", "data-no-drag": true, hidden: true });
  c.viewport.before(banner);
  const isOther = changes();

  const settling = (text, look = "cv-primary") => pushButton(text, () => c.commands.tick(), { class: look });
  const skip = () => pushButton("Skip", () => c.sweep.next(), { title: "Skip to the next (S)" });
  const aboutNode = (isSwept) => [isSwept ? settling("Not swept (T)", "") : settling("No more (T)"), skip()];
  const aboutWord = (key) => [
    settling("Not a variable (T)"),
    pushButton("Make node", () => c.commands.press("word", key, true), { title: "Enter" }),
    skip(),
  ];
  const aboutArrow = (id) => [
    ...(c.graph.view().arrows.has(id) ? [settling("Not an edge (T)", "")] : []),
    pushButton("Previous", () => c.commands.previousArrow(), { title: "Previous printed arrow without an edge (B)" }),
    pushButton("Next", () => c.commands.nextArrow(), { title: "Next printed arrow without an edge (b)" }),
  ];

  return () => {
    const { sweep } = c.ui;
    banner.hidden = sweep === null;
    if (sweep === null) return;
    const isWord = sweep.kind === "word";
    const isArrow = sweep.kind === "arrow";
    const isSwept = !isWord && (c.graph.view().nodes.get(sweep.name)?.swept ?? false);
    const text = c.sweep.question();
    const { left } = c.sweep.counts();
    if (!isOther(text, left, c.isEditable())) return;
    const buttons = [
      ...(isArrow ? aboutArrow(sweep.key) : isWord ? aboutWord(sweep.key) : aboutNode(isSwept)),
      pushButton("End sweep", () => c.sweep.end(), { title: "Esc" }),
    ];
    for (const button of buttons.slice(0, -1)) button.disabled = !c.isEditable();
    const hadFocus = banner.contains(c.host.activeElement);
    banner.replaceChildren(
      make("span", { class: "cv-asked", text }),
      make("span", { class: "cv-left", text: isArrow ? "" : `${left} left` }),
      make("span", { class: "cv-row" }, ...buttons),
    );
    if (hadFocus) buttons[0].focus({ preventScroll: true });
  };
}
