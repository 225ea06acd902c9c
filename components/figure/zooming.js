// Arithmetic of a picture's size and place in a window, in pixels of the window. Pure: numbers in, numbers out.

/** @typedef {import("./shapes.d.ts").Box} Box */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").Frame} Frame */

/** @type {(value: number, low: number, high: number) => number} */
export const clampTo = (value, low, high) => Math.min(Math.max(value, low), high);

/** The scale at which the whole picture is in the window.
 * @param {Frame} frame */
export function fitScale({ width, height, room, padding }) {
  const across = Math.max(room.width - 2 * padding, 1) / width;
  const down = Math.max(room.height - 2 * padding, 1) / height;
  return Math.min(across, down);
}

/** @param {Frame} frame @returns {View} */
export function fitted(frame) {
  const scale = fitScale(frame);
  const { room, width, height } = frame;
  return { scale, x: (room.width - width * scale) / 2, y: (room.height - height * scale) / 2 };
}

/** @type {(frame: Frame, scale: number) => number} */
const allowedScale = (frame, scale) => clampTo(scale, fitScale(frame) * frame.min, fitScale(frame) * frame.max);

/** The nearest allowed view. The zoomed picture always covers the place it has when fitted: it cannot get lost,
 * every edge can be brought into the window, and zooming in from the fit about any of its points needs no correction.
 * @param {Frame} frame @param {View} view @returns {View} */
export function clamped(frame, { scale: wanted, x, y }) {
  const whole = fitScale(frame);
  const scale = allowedScale(frame, wanted);
  /** @type {(offset: number, length: number, space: number) => number} */
  const along = (offset, length, room) => {
    const slack = (length * Math.abs(scale - whole)) / 2;
    const centred = (room - length * scale) / 2;
    return clampTo(offset, centred - slack, centred + slack);
  };
  return { scale, x: along(x, frame.width, frame.room.width), y: along(y, frame.height, frame.room.height) };
}

/** `view` zoomed by `factor` about a point of the window, which stays where it is.
 * @type {(frame: Frame, view: View, factor: number, atX: number, atY: number) => View} */
export function zoomedAbout(frame, view, factor, atX, atY) {
  const scale = allowedScale(frame, view.scale * factor);
  const ratio = scale / view.scale;
  return { scale, x: atX - (atX - view.x) * ratio, y: atY - (atY - view.y) * ratio };
}

/** The least movement, [dx, dy], that brings a box of the page into the window.
 * @param {Frame} frame @param {View} view @param {Box} box */
export function shiftTo({ origin, room, padding }, view, box) {
  /** @type {(low: number, high: number, from: number, offset: number, length: number) => number} */
  const along = (low, high, from, offset, length) => {
    const start = (low - from) * view.scale + offset;
    const end = (high - from) * view.scale + offset;
    if (start < padding) return padding - start;
    return end > length - padding ? Math.max(length - padding - end, padding - start) : 0;
  };
  return [along(box[0], box[2], origin[0], view.x, room.width), along(box[1], box[3], origin[1], view.y, room.height)];
}

/** View of a box of the page in the middle of the window, as large as possible with `margin` pixels around it, at most `most`
 * times the fitted size.
 * @type {(frame: Frame, box: Box, margin: number, most: number) => View} */
export function framing(frame, box, margin, most) {
  const { room, origin } = frame;
  const across = Math.max(room.width - 2 * margin, 1) / Math.max(box[2] - box[0], 1);
  const down = Math.max(room.height - 2 * margin, 1) / Math.max(box[3] - box[1], 1);
  const scale = clampTo(Math.min(across, down), fitScale(frame), fitScale(frame) * most);
  const [x, y] = [(box[0] + box[2]) / 2 - origin[0], (box[1] + box[3]) / 2 - origin[1]];
  return { scale, x: room.width / 2 - x * scale, y: room.height / 2 - y * scale };
}

/** The part of the page in the window, in points, cut to the picture.
 * @param {Frame} frame @param {View} view @returns {Box} */
export function seenOf({ width, height, origin: [left, top], room }, { scale, x, y }) {
  return [
    left + Math.max(-x / scale, 0),
    top + Math.max(-y / scale, 0),
    left + Math.min((room.width - x) / scale, width),
    top + Math.min((room.height - y) / scale, height),
  ];
}
