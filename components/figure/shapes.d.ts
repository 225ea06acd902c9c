// Lengths and places on a page, shared by all scripts with a picture. This file imports nothing.

/** x0, y0, x1, y1; y grows downwards. */
export type Box = [number, number, number, number];
export type Point = [number, number];
/** A place in the coordinates of pan and zoom. */
export type At = { x: number; y: number };
