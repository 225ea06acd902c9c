// Colours of the app's theme, and how light they are.

/** Red, green, blue of any CSS colour, by painting it.
 * @param {string} colour
 * @returns {[number, number, number]} */
export function solid(colour) {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  if (context === null) throw new Error("This browser cannot draw off screen.");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

/** 0 of black, 1 of white. @param {number[]} colour */
export const lightness = ([red, green, blue]) => (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;

/** Below this a ground is dark. */
export const DARK = 0.4;
