// A button that copies the address of the page, as it is when the button is pressed, and says that it did.

import { make, pushButton, setText } from "../desk/dom.js";

/** @param {{parentElement: any}} mounted */
export default function ({ parentElement }) {
  const root = parentElement.querySelector("[data-copy-link]");
  if (root.firstElementChild) {
    // The receipt is about the address that was copied, not about the item or cell opened since.
    if (root.dataset.copied !== location.href) setText(root.lastElementChild, "");
    return;
  }
  const receipt = make("span", { role: "status" });
  const button = pushButton("Copy link", async () => {
    const isCopied = await copyText(location.href, root);
    root.dataset.copied = location.href;
    setText(receipt, isCopied ? "Link copied." : "Copy the address at the top of the browser.");
    button.focus();
  });
  button.prepend(make("span", { class: "icon", "data-icon": "link", "aria-hidden": "true" }));
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
