// The drawing library: Python serves its script (`sources.py`), which is not in this folder. Declared is what this
// folder uses.

import type { At } from "../figure/shapes.d.ts";
import type { DrawnEdge, DrawnNode } from "./types.d.ts";

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
