// What the parts of a canvas share: where things stand, what a person chose. Lengths are points of the page.

/** x0, y0, x1, y1; y grows downwards. */
export type Box = [number, number, number, number];
export type Point = [number, number];
/** A place as pan and zoom gives it. */
export type At = { x: number; y: number };

/** Something drawn at a box: a node, or a printed text that is none yet. */
export type Place = {
  kind: "node" | "word";
  key: string;
  name: string;
  box: Box;
  isPoint: boolean;
  isUnplaced?: boolean;
  node?: any;
  word?: any;
  [more: string]: any;
};

/** A drawn course, from tail to head. */
export type Curve = {
  d: string;
  points: Point[];
  bounds: Box;
  head: At & { angle: number };
  middle: At & { angle: number };
};

/** A drawn edge or proposal. */
export type Line = {
  kind: "edge" | "proposal";
  key: string;
  edge: any;
  curve: Curve;
  points: Point[];
  bounds: Box;
  isStub?: boolean;
  [more: string]: any;
};

export type Scene = {
  places: Place[];
  lines: Line[];
  unplaced: any[];
  boxes: Map<string, Box>;
  unit: number;
};

/** What a press, a key or the page chose. */
export type Choice = { kind: string; key: string };

/** What a person is about to do on a canvas; nothing of it is stored. */
export type CanvasUi = {
  chosen: Choice | null;
  last: string | null;
  armed: string | null;
  sign: string;
  delay: boolean;
  typed: string;
  focus: string | null;
  proposal: string | null;
  move: (At & { name: string }) | null;
  hints: boolean;
  drag: any;
  edgesOf: string | null;
  sweep: { kind: "node" | "word"; name: string; key: string } | null;
};
