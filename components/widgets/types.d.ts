// What components/shell.py gives a door; tests/components/widgets/test_types.py holds the two together.

/** A link to one of the doors. */
export type DoorData = { href: string; text: string };
