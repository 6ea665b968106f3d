"""Output for users: text and tables in the terminal, pages, plots, and tables in notebooks."""
