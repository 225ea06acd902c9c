// What components/shell.py gives a door; tests/components/widgets/test_types.py holds the two together.

/** A link, or with `fields` a form that is sent with them. */
export type DoorData = { href: string; text: string; fields: Record<string, string> | null };
