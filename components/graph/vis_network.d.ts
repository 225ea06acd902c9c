// The drawing library: Python serves its script (`sources.py`), which is not in this folder. Declared is what this
// folder uses.

import type { At } from "../figure/shapes.d.ts";

/** Draws a part of an item. */
export type Paint = (context: CanvasRenderingContext2D, ...rest: unknown[]) => unknown;

type Drawn = {
  id: number;
  selected: boolean;
  hover: boolean;
  draw: Paint;
  /** True once `dress` has changed how it is drawn. */
  isDressed?: boolean;
};

/** A node of vis-network; its shape has no size before the first drawing. */
export type DrawnNode = Drawn &
  At & {
    shape: { width: number; height: number };
    edges: DrawnEdge[];
    options: {
      hidden: boolean;
      color: { border: string };
      shapeProperties: { borderDashes: number[] | boolean };
    };
    edgeType?: undefined;
  };

/** An edge of vis-network. */
export type DrawnEdge = Drawn & {
  from: DrawnNode;
  to: DrawnNode;
  fromId: number;
  toId: number;
  connected: boolean;
  shape?: undefined;
  options: {
    hidden: boolean;
    width: number;
    dashes: number[] | boolean;
    selfReference: { angle: number };
  };
  drawArrows: Paint;
  getFormattingValues(): { hidden: boolean; [value: string]: unknown };
  edgeType: {
    fromPoint: At;
    toPoint: At;
    getPoint(share: number, via: unknown): At;
    getViaNode(): unknown;
    drawLine(context: CanvasRenderingContext2D, values: object, selected: boolean, hover: boolean, via: unknown): void;
    _getCircleData(context: CanvasRenderingContext2D): [x: number, y: number, radius: number];
  };
};

export type DataSet<Item extends { id: number }> = {
  readonly length: number;
  getIds(): number[];
  update(items: Item[]): void;
  remove(ids: number[]): void;
};

/** A movement of the view; true is vis-network's own. */
export type Animation = boolean | { duration: number; easingFunction: string };

/** Arguments of the listeners to events. */
export type Events = {
  afterDrawing: CanvasRenderingContext2D;
  click: { nodes: number[]; edges: number[] };
  doubleClick: { nodes: number[] };
  dragStart: unknown;
  dragging: { nodes: number[] };
  dragEnd: { nodes: number[] };
  zoom: unknown;
  hoverNode: { node: number };
  hoverEdge: { edge: number };
  blurNode: unknown;
  blurEdge: unknown;
};

export type Network = {
  /** While false nothing is drawn: not documented. */
  renderer: { allowRedraw: boolean };
  /** The drawn items, and the library's own messages: not documented. */
  body: {
    nodes: Record<number, DrawnNode>;
    edges: Record<number, DrawnEdge>;
    nodeIndices: number[];
    edgeIndices: number[];
    view: { scale: number };
    emitter: { emit(message: string): void };
  };
  on<Name extends keyof Events>(name: Name, hear: (event: Events[Name]) => void): void;
  destroy(): void;
  redraw(): void;
  getScale(): number;
  getViewPosition(): At;
  getPosition(node: number): At;
  getPositions(nodes: number[]): Record<string, At>;
  getConnectedEdges(node: number): number[];
  getSelectedNodes(): number[];
  setSelection(selected: { nodes: number[]; edges: number[] }, options: { highlightEdges: boolean }): void;
  canvasToDOM(at: At): At;
  moveTo(view: { position?: At; scale?: number; animation: Animation }): void;
};

declare const vis: {
  Network: new (container: HTMLElement, data: object, options: object) => Network;
  DataSet: new <Item extends { id: number }>(items?: Item[]) => DataSet<Item>;
};
export default vis;
