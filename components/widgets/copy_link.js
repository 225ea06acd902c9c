// A button that copies a text, or the address of the page as it is when the button is pressed, and says that it did.

import { make, pushButton, setText } from "../desk/dom.js";

/** @param {{parentElement: any, data: import("./types.d.ts").CopyData}} mounted */
export default function ({ parentElement, data }) {
  const root = parentElement.querySelector("[data-copy-link]");
  const toCopy = () => data.text || location.href;
  const drawn = JSON.stringify(data);
  if (root.dataset.drawn === drawn) {
    // The receipt is about what was copied, not about the item or cell opened since.
    if (root.dataset.copied !== toCopy()) setText(root.lastElementChild, "");
    return;
  }
  root.dataset.drawn = drawn;
  const receipt = make("span", { role: "status" });
  const button = pushButton(data.label, async () => {
    const isCopied = await copyText(toCopy(), root);
    root.dataset.copied = toCopy();
    setText(receipt, isCopied ? data.copied : data.otherwise);
    button.focus();
  });
  button.prepend(make("span", { class: "icon", "data-icon": data.icon, "aria-hidden": "true" }));
  root.replaceChildren(button, receipt);
}

/** Copy a text and return whether that worked. Browsers give the clipboard to pages over HTTPS or of this computer only;
 * on others, a selected field of `root` is copied.
 * @param {string} text
 * @param {HTMLElement} root */
async function copyText(text, root) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = make("textarea", { readonly: true, tabindex: "-1" });
    field.value = text;
    root.append(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    return isCopied;
  }
}
