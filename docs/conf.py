"""The site: `make docs` builds it into build/site. docs/building/ contains the directives that its pages use.

The whole repository is the source folder, so that a link between two Markdown files works here as it does on a forge.
"""

from __future__ import annotations

import sys
from importlib.metadata import version as version_of
from pathlib import Path

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent
sys.path.insert(0, str(FOLDER))

project = "gpusolve"
author = "the authors of gpusolve"
copyright = author
release = version_of("gpusolve")
version = release

root_doc = "docs/index"
include_patterns = [
    "docs/*.md",
    "docs/*/*.md",
    "benchmarks/results/*.md",
    "examples/*/README.md",
    "wordlists/SOURCES.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
]
exclude_patterns = [".*", "build", "dist", "src", "tests", "kernels", "**/node_modules", "**/.venv", "**/_*"]

extensions = ["myst_nb", "sphinx.ext.autodoc", "numpydoc", "sphinx_design", "building.directives"]

myst_enable_extensions = ["attrs_inline", "colon_fence", "dollarmath", "html_image"]
myst_heading_anchors = 3
myst_fence_as_directive: set[str] = set()

# A lesson is executed if its text has changed since the last build here, and its output is kept in build/lessons.
# That takes about 15 s for each, so continuous integration builds the site without output (`make docs LESSONS=off`):
# the tests execute the same cells there (tests/testing/test_lessons.py).
nb_execution_mode = "cache"
nb_execution_cache_path = str(ROOT / "build" / "lessons")
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_merge_streams = True

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

html_theme = "pydata_sphinx_theme"
html_title = "gpusolve"
html_static_path = ["building/static"]
html_css_files = ["site.css"]
html_extra_path = ["building/root"]
html_show_sourcelink = False
html_theme_options = {
    "navbar_align": "left",
    "navbar_persistent": ["search-button"],
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "show_nav_level": 1,
    "navigation_with_keys": False,
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "article_header_start": ["breadcrumbs"],
}
html_context = {"default_mode": "auto"}
