"""The bar on top of every page: the menus, the finder and the sheet of keys."""
