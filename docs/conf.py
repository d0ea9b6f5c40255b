"""How Sphinx makes the site; `docs/_generate` gathers its pages. Nothing is fetched, neither now nor by a reader."""

import sys
from pathlib import Path

from pygments.lexers.special import TextLexer  # type: ignore[import-untyped]
from sphinx.application import Sphinx

import whit

sys.path.insert(0, str(Path(__file__).parent))

project = "whit"
author = "The whit authors"
project_copyright = "The whit authors, Apache-2.0"
release = version = whit.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
extensions += ["_generate.docstrings", "_generate.keys", "_generate.console"]

root_doc = "index"
exclude_patterns = ["files/**"]
myst_heading_anchors = 4

smartquotes = False  # a prime is not a quotation mark

# Text in single backticks is code, as everywhere in the sources.
default_role = "code"
add_module_names = False
python_use_unqualified_type_names = True
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the signatures show them already, as they are written
napoleon_use_ivar = True
napoleon_use_rtype = False
napoleon_attr_annotations = False
toc_object_entries = False

nitpicky = True
# A type is shown by its short name, as it is written; two packages may have one of the same name.
suppress_warnings = ["ref.python"]

html_theme = "furo"
html_title = "whit"
html_static_path = [str(Path(__file__).parent / "_static")]
html_css_files = ["whit.css"]
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False


def setup(app: Sphinx) -> None:
    """Show tables of commas as they are: nothing colours them."""
    app.add_lexer("csv", TextLexer)
