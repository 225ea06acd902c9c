// What crosses between Python and the pictures of pages; tests/components/figure/test_types.py holds the two together.
// Lengths are points of the page, but for `height_px`.

import type { Box, Point } from "../canvas/types.d.ts";

/** A part of a page (crop.py); `origin` is its left and top there. */
export type CropData = {
  image_url: string;
  width: number;
  height: number;
  origin: Point;
  alt: string;
  height_px: number;
};

// ---- the figure with marks on it (figure_view.py)

export type MarkData = {
  kind: "node" | "word" | "box";
  id: string;
  label: string;
  box: Box;
  state: "plain" | "chosen" | "dimmed" | "attested";
};

export type FigureViewData = CropData & { marks: MarkData[] };

/** What it tells Python: the last click; `n` grows. */
export type FigureViewState = { click: { id: string; n: number } };

// ---- the page on which a region is picked (region_picker.py)

export type RegionData = { id: string; label: string; box: Box };

/** `seen_n` is the last of our answers that Python knows of. */
export type PickerData = {
  image_url: string;
  page_width: number;
  page_height: number;
  regions: RegionData[];
  chosen: Box | null;
  alt: string;
  height_px: number;
  seen_n: number;
};

/** What it tells Python: the last finished choice; `n` grows. */
export type PickerState = { picked: { box: Box; region_id: string | null; n: number } };
