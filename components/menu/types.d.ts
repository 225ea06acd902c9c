// What components/menu/menu.py gives the menu; tests/components/menu/test_types.py holds the two together.

export type MenuPage = { title: string; href: string; icon: string; is_open: boolean };

export type MenuData = {
  sections: { title: string; pages: MenuPage[] }[];
  study: string;
  person: string;
  roles: string;
  csrf: string;
};
