// Data from components/shell.py and copy_link.py; checked by tests/components/widgets/test_types.py.

/** A link to a page outside the app. */
export type DoorData = { href: string; text: string };

/** A button that copies `text`, or if empty the address of the page; what it says once it did, and if it could not. */
export type CopyData = { label: string; icon: string; text: string; copied: string; otherwise: string };
