"""Word lists that are not shipped: public ones, which users download, and their own; and which list a game uses."""
