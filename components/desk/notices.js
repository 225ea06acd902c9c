// Cards of a desk that stay until they are closed: acts that the store refused, with a way to repeat them.

import { make, pushButton } from "./dom.js";

const MOST = 4;

/** Return {element, add(text, actions)}; actions are [label, function][]. */
export function createNotices(root) {
  const box = make("div", { class: "cv-notices", role: "status" });
  root.append(box);
  return {
    element: box,
    add(text, actions = []) {
      const card = make("div", { class: "cv-notice" }, make("p", { text }));
      const button = ([label, act]) =>
        pushButton(label, () => {
          card.remove();
          act?.();
        });
      card.append(make("div", { class: "cv-row" }, ...[...actions, ["Dismiss"]].map(button)));
      box.append(card);
      while (box.children.length > MOST) box.firstChild.remove();
    },
  };
}
