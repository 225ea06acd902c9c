// What every desk shares with the page it stands on.

export type Sign = "+" | "-" | "";

/** What is printed on an edge. */
export type EdgeMark = { sign: Sign; delay: boolean };

/** An edge of a graph (graph_data.py). */
export type EdgeData = EdgeMark & {
  id: string;
  source_id: string;
  sink_id: string;
  flag: string;
  note: string;
};

/** What `edit_edge` sets of an edge. */
export type EdgeField = "sign" | "delay" | "flag" | "note" | "source" | "sink";

/** What a person did, with its id and its place in the order of one tab; `kind` says which further fields it has. */
export type Act = {
  id: string;
  seq: number;
  kind: string;
  [field: string]: any;
};

/** What a desk posts: acts that are not answered. */
export type Outgoing = { acts: Act[] };

/** Where a desk posts its acts, and what proves that its own page does. */
export type Door = { tab: string; csrf: string };

/** How many acts and answers its tab had seen when a desk's data was made: of two data of a tab the higher is newer. */
export type Numbered = { serial: number };

/** What a desk tells its page: when it was answered last, and how many acts wait for more than a second. */
export type Posted = { answered: number; unsaved: number };

/** What became of posted acts: an act in neither list waits. `data`: the desk's; null if only the page can tell. */
export type PostAnswer = {
  done: string[];
  refused: Record<string, string>;
  data: DeskData | null;
};

/** How it stands with what waits in an outbox. `kept` is false where the browser keeps no copy; `trouble` is why the
 * server did not take it the last time. */
export type OutboxStatus = {
  waiting: number;
  quietMs: number;
  connected: boolean;
  trouble: string;
  halted: boolean;
  kept: boolean;
};

// ---- active time (activity.py)

/** `answered`: reports that need not come again. */
export type ActivityData = {
  subject: string;
  answered: string[];
  idle_s: number;
  report_s: number;
};

/** `attempt` makes a repeat another value. */
export type ActivityState = {
  report: { id: string; subject: string; seconds: number; attempt: number };
};

declare global {
  interface Window {
    /** Whether the menu's own links are led to their lists already. */
    edgewiseMenu?: boolean;
  }
}

// ---- keys, as components/desk/key_table.py gives them

export type DeskKey = {
  section: string;
  keys: string;
  does: string;
  command: string;
  presses: string[];
  repeats: boolean;
};

export type KeyTable = {
  label: string;
  note: string;
  caption: string[][];
  keys: DeskKey[];
};

// ---- a desk and the frame it stands on

/** What of a desk's data is the same for every desk (desk_state.py). */
export type DeskStanding = {
  subject: string;
  version: number;
  /** When the store last wrote the work (ISO, UTC), "" before the first time. */
  saved_at: string;
  receipt: string;
  note: string;
  editable: boolean;
  can_undo: boolean;
  can_redo: boolean;
  halted: boolean;
  takes_focus: boolean;
};

/** A desk's data, whichever desk it is: the rest is the desk's own. */
export type DeskData = DeskStanding & Door & Numbered & { [more: string]: any };

/** What the frame offers the parts of a desk; each desk adds its own parts to it. */
export type Frame = {
  /** The shadow root it lives on. */
  host: any;
  root: HTMLElement;
  subject: string;
  data: DeskData;
  /** The data with the acts over it that wait. */
  view: any;
  /** What keys and buttons do, by the names of the table of keys. */
  commands: Record<string, (...given: any[]) => unknown>;
  /** Of a desk that is one pane; one of several panes has those of each (`addPane`). */
  buttons: PaneParts["buttons"];
  receipt: HTMLElement;
  sheet: { open(): void };
  /** Says aloud what happens. */
  announcer: HTMLElement;
  panes: { stop(): void; show(status: OutboxStatus): void }[];
  /** Makes an element a pane with keys of its own, before anything is put into it. */
  addPane(pane: PaneKind): PaneParts;
  notices: {
    element: HTMLElement;
    add(text: string, actions?: [string, () => void][]): void;
  };
  /** Streamlit's: gives the page a value under a name. */
  setState(name: string, value: unknown): void;
  pending(): Act[];
  isEditable(): boolean;
  can(step: "undo" | "redo"): boolean;
  focused(): Element | null;
  /** Puts the focus where keys are heard. */
  focus(): void;
  say(text: string): void;
  /** Says why nothing may be changed now; false if it may. */
  isClosed(): boolean;
  /** The one way in which an act is done: kept, sent, laid over the data, drawn. Null if nothing may be changed. */
  act(kind: string, payload?: object): Act | null;
  again(step: "undo" | "redo"): void;
  /** Asks the page for what is no act: its state `name` grows. */
  ask(name: string): void;
  draw(): void;
  [part: string]: any;
};

/** A part of a desk with keys of its own. */
export type PaneKind = {
  element: HTMLElement;
  table: KeyTable;
  /** What keys and buttons do. */
  commands(): Record<string, (...given: any[]) => unknown>;
  /** Whether keys are heard too while nothing on the page has the focus. */
  hearsBare?: boolean;
  /** Whether presses on this element are text; a text field's are, if nothing is said. */
  isTyping?(element: EventTarget | null): boolean;
  /** Whether a command's key is meant for the pane where it is pressed. */
  hears?(command: string, event: KeyboardEvent): boolean;
  /** Keys of a moment, before those of the table; true if it was one. */
  onPress?(press: string, event: KeyboardEvent): boolean;
};

export type PaneParts = {
  buttons: {
    undo: HTMLButtonElement;
    redo: HTMLButtonElement;
    help: HTMLButtonElement;
  };
  receipt: HTMLElement;
  sheet: { open(): void };
};

/** What is known of a desk before it is made. */
export type DeskKind = {
  /** Names its outbox: acts wait in the browser under it. */
  queue: string;
  /** Of a desk that is one pane. */
  table?: KeyTable;
  hearsBare?: boolean;
  root(): HTMLElement;
  viewOf(data: any, acts: Act[]): any;
  /** Why nothing may be changed, of a copy that is not stale; "" if it may. */
  closed(data: any, view: any): string;
  create(c: Frame): Desk;
};

/** What a kind of desk makes on its frame. */
export type Desk = {
  commands: Record<string, (...given: any[]) => unknown>;
  focus(): void;
  draw(): void;
  /** After every drawing, and when only the outbox stands otherwise. */
  drawn?(): void;
  /** Keys of a moment, before those of the table; true if it was one. */
  onPress?(press: string, event: KeyboardEvent): boolean;
  /** New data, before anything is drawn of it. */
  receive?(data: any): void;
  /** Once, with the first data: where a person finds themselves. */
  begin?(): void;
  /** An act was done, and is laid over the data. */
  acted?(act: Act): void;
  /** Acts came to the outbox, or left it, without the person. */
  relaid?(): void;
  /** After what was refused is told: where the new data leads. `before` is the data before, `done` names acts that are
   * answered with the new. */
  follow?(before: any, done: string[]): void;
  settled?(): void;
  /** Gives back what was typed into an act that the store refused (its fields are those of its kind); says what it was
   * about, or null if all is told. */
  refused(act: any, message: string): string | null;
  /** What else may be done about a refused act than to try it again: [label, what it does]. */
  remedies?(act: any): [string, () => void][];
  close?(): void;
};
