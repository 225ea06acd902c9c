// What every desk shares with the page it stands on.

/** What `edit_edge` sets of an edge. */
export type EdgeField = "sign" | "delay" | "flag" | "note" | "source" | "sink";

/** What a person did, with its id and its place in the order of one tab; `kind` says which further fields it has. */
export type Act = {
  id: string;
  seq: number;
  kind: string;
  [field: string]: any;
};

/** The page's answer to an outbox: ids of acts it has stored, those it refused with the reason, whether it takes more. */
export type Answer = {
  acked?: string[];
  refused?: Record<string, string>;
  halted?: boolean;
  send?: (outgoing: Outgoing) => void;
};

/** What an outbox sends: all unanswered acts of one tab; `attempt` makes a repeat another value. */
export type Outgoing = { tab: string; attempt: number; acts: Act[] };

/** Where a desk posts its acts, and what proves that its own page does. */
export type Door = { tab: string; csrf: string };

/** How many answers its tab had given when a desk's data was made: of two data of a tab the higher is newer. */
export type Numbered = { serial: number };

/** What a desk that posts its acts tells its page: when it was answered last, and whether an act waits for long. */
export type Posted = { answered: number; unsaved: boolean };

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
  interface WindowEventMap {
    /** Another edge of a subject was selected, or none (selection.js). */
    "edgewise:selected": CustomEvent<string>;
  }
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
  acked: string[];
  refused: Record<string, string>;
  /** Which memory of answers this is of, and how many it has given: of two data the one with more was made later. */
  ledger: string;
  answered: number;
  /** Whether answers may be asked for ahead of the page (early_answers.js). */
  early: boolean;
};

/** A desk's data, whichever desk it is: the rest is the desk's own. */
export type DeskData = DeskStanding & Partial<Door & Numbered> & { [more: string]: any };

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
  buttons: {
    undo: HTMLButtonElement;
    redo: HTMLButtonElement;
    help: HTMLButtonElement;
  };
  receipt: HTMLElement;
  notices: {
    element: HTMLElement;
    add(text: string, actions?: [string, () => void][]): void;
  };
  sheet: { open(): void };
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
  /** The one way in which an act is done: kept, laid over the data, drawn. Null if nothing may be changed. The last of
   * several that are done in one go is sent with those before it, and before all is drawn. */
  act(kind: string, payload?: object, how?: { isLast?: boolean }): Act | null;
  again(step: "undo" | "redo"): void;
  /** Asks the page for what is no act: its state `name` grows. */
  ask(name: string): void;
  draw(): void;
  [part: string]: any;
};

/** What is known of a desk before it is made. */
export type DeskKind = {
  /** Names its outbox: acts wait in the browser under it. */
  queue: string;
  table: KeyTable;
  /** Whether keys are heard too while nothing on the page has the focus. */
  hearsBare?: boolean;
  root(): HTMLElement;
  viewOf(data: any, acts: Act[]): any;
  /** Why nothing may be changed, of a copy that is not stale; "" if it may. */
  closed(data: any, view: any): string;
  /** Whether presses on this element are text; a text field's are, if nothing is said. */
  isTyping?(c: Frame, element: EventTarget | null): boolean;
  /** Whether a command's key is meant for the desk where it is pressed. */
  hears?(c: Frame, command: string, event: KeyboardEvent): boolean;
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
  /** After what was refused is told: where the new data leads; `before` is the data before. */
  follow?(before: any): void;
  settled?(): void;
  /** Gives back what was typed into an act that the store refused (its fields are those of its kind); says what it was
   * about, or null if all is told. */
  refused(act: any, message: string): string | null;
  /** What else may be done about a refused act than to try it again: [label, what it does]. */
  remedies?(act: any): [string, () => void][];
  close?(): void;
};
