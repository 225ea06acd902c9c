// Data from components/menu/menu.py; checked by tests/components/menu/test_types.py.

export type MenuPage = { title: string; href: string; icon: string; is_open: boolean };

export type MenuData = {
  mark: string;
  sections: { title: string; pages: MenuPage[] }[];
  study: string;
  person: string;
  roles: string;
  csrf: string;
};
