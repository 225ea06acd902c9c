// Lengths and places on a page, which every script with a picture shares. This file imports nothing.

/** x0, y0, x1, y1; y grows downwards. */
export type Box = [number, number, number, number];
export type Point = [number, number];
/** A place as pan and zoom gives it. */
export type At = { x: number; y: number };
