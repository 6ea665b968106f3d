"""What the site's pages use: directives, and drawings that are computed from the code."""
