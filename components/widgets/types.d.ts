// Data from components/shell.py for a link; checked by tests/components/widgets/test_types.py.

/** A link to a page outside the app. */
export type DoorData = { href: string; text: string };
