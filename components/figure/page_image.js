// The picture of a page or figure inside a pan-and-zoom window, or a message if it does not load.

import { make } from "../desk/dom.js";

/** Explain to the user why a picture did not load.
 * @param {string} url */
async function whyNoPicture(url) {
  /** @type {Record<number, string>} */
  const reasons = {
    401: "You are signed out. Sign in again in another tab, then retry.",
    403: "Your roles do not include seeing this picture. Ask the owner of the study, then retry.",
    404: "The server no longer has this picture. The file may have been replaced: reload the page.",
    429: "Too many pictures are being loaded at once. Wait a moment, then retry.",
  };
  const stop = new AbortController();
  try {
    const reply = await fetch(url, { credentials: "same-origin", cache: "no-store", signal: stop.signal });
    const kind = reply.headers.get("content-type") ?? "";
    stop.abort(); // only the head of the answer is needed
    if (reply.redirected && !kind.startsWith("image/")) return reasons[401];
    if (!reply.ok) return reasons[reply.status] ?? `The server answered with error ${reply.status}. Retry in a moment.`;
    if (!kind.startsWith("image/")) return "The server answered with something that is not a picture. Reload the page.";
    return "The picture arrived but cannot be shown; it may have been cut off on the way. Retry.";
  } catch {
    return "The server did not answer. Check the connection, then retry.";
  }
}

/** Return { show(url, alt) }. `content` gets the picture as its first child, `viewport` the message if it fails.
 * @param {HTMLElement} viewport
 * @param {HTMLElement} content */
export function createPageImage(viewport, content) {
  const image = make("img", { class: "pz-image", draggable: "false", decoding: "async" });
  const reason = make("p", {});
  const retry = make("button", { type: "button", text: "Retry" });
  const notice = make(
    "div",
    { class: "pz-notice", role: "alert", hidden: true, "data-no-drag": true },
    make("p", { class: "pz-notice-title", text: "The picture did not load" }),
    reason,
    retry,
  );
  /** @type {string} */
  let url;

  const load = () => {
    notice.hidden = true;
    viewport.setAttribute("aria-busy", "true");
    image.removeAttribute("src"); // the same address again counts as a new request only after this
    image.src = url;
  };
  image.addEventListener("load", () => {
    viewport.removeAttribute("aria-busy");
    viewport.removeAttribute("data-failed");
  });
  image.addEventListener("error", async () => {
    const failed = url;
    const text = await whyNoPicture(failed);
    if (failed !== url) return; // another picture was requested meanwhile
    reason.textContent = text;
    viewport.removeAttribute("aria-busy");
    viewport.setAttribute("data-failed", "");
    notice.hidden = false;
  });
  retry.addEventListener("click", load);

  content.prepend(image);
  viewport.append(notice);
  return {
    /** @param {string} nextUrl @param {string} alt */
    show(nextUrl, alt) {
      image.alt = alt;
      if (nextUrl === url) return; // a rerun with the same picture must not flicker
      url = nextUrl;
      load();
    },
  };
}
