// Data between Python (sheet.py, acts.py) and the contact sheet; checked by
// tests/components/contact_sheet/test_types.py.

import type { Box } from "../figure/shapes.d.ts";
import type { DeskStanding, Frame, Posted } from "../desk/types.d.ts";

export type Decision = "waiting" | "located" | "left out";

/** A detected figure; `page_url` is a picture of its page, of width x height points, in which `box` lies. */
export type FoundData = {
  id: string;
  paper: string;
  page: number;
  label: string;
  caption: string;
  image_url: string;
  page_url: string;
  width: number;
  height: number;
  box: Box;
  link: string;
  decision: Decision;
};

export type SheetData = DeskStanding & { figures: FoundData[]; onward: string };

/** Acts of a user, by kind; `was` is the decision that they saw before. */
export type SheetActs = { decide_figure: { figure: string; decision: Decision; was: Decision } };

/** Shared object of the parts of a sheet, created in sheet.js. */
export type Sheet = Frame & {
  data: SheetData;
  view: ReturnType<typeof import("./view.js").viewOf>;
  ui: {
    /** Id of the figure to which keys apply. */
    current: string;
    /** Figures whose decision can be undone, with their earlier one. */
    undo: [id: string, before: Decision][];
    isGoing: boolean;
  };
  cards: ReturnType<typeof import("./cards.js").createCards>;
  look: ReturnType<typeof import("./look.js").createLook>;
  /** Choose a figure. */
  go(id: string | undefined): void;
};

/** `next` grows with every press. */
export type SheetState = Posted & { next: number };
