// The canvas over the whole window: the same element, not moved, so that zoom, focus and unsent acts stay.

const FOCUSABLE = "button:not(:disabled), select, input, [tabindex='0']";

/** {isFull(), set(on)}. It is shown as a popover: above the page regardless of its parents, and below a dialog. Tab stays
 * in it, since the covered page is not visible.
 * @param {{root: HTMLElement, host: any, home(): HTMLElement}} c */
export function createFullWindow({ root, host, home }) {
  const isFull = () => root.hasAttribute("data-full");

  function set(on) {
    if (on === isFull() || !root.isConnected) return;
    root.toggleAttribute("data-full", on);
    if (on) {
      root.popover = "manual";
      root.showPopover();
    } else {
      root.hidePopover();
      root.popover = null;
    }
    home().focus({ preventScroll: true });
  }

  root.addEventListener("keydown", (event) => {
    if (event.key !== "Tab" || !isFull() || event.defaultPrevented) return;
    const stops = [...root.querySelectorAll(FOCUSABLE)].filter((each) => each.checkVisibility());
    const at = event.shiftKey ? [stops[0], stops[stops.length - 1]] : [stops[stops.length - 1], stops[0]];
    if (host.activeElement !== at[0]) return;
    /** @type {any} */ (at[1]).focus();
    event.preventDefault();
  });

  return { isFull, set };
}
