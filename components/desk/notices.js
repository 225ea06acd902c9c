// Cards of a desk that stay until they are closed: acts that the store refused, with a way to repeat them.

import { make, pushButton } from "./dom.js";

const MOST = 4;

/** @typedef {[label: string, act?: () => void]} Action */

/** Return {element, add(text, actions)}.
 * @param {HTMLElement} root */
export function createNotices(root) {
  const box = make("div", { class: "cv-notices", role: "status" });
  root.append(box);
  return {
    element: box,
    /** @param {string} text @param {Action[]} [actions] */
    add(text, actions = []) {
      const card = make("div", { class: "cv-notice" }, make("p", { text }));
      const button = (/** @type {Action} */ [label, act]) =>
        pushButton(label, () => {
          card.remove();
          act?.();
        });
      /** @type {Action[]} */
      const all = [...actions, ["Dismiss"]];
      card.append(make("div", { class: "cv-row" }, ...all.map(button)));
      box.append(card);
      while (box.children.length > MOST) box.firstChild?.remove();
    },
  };
}
