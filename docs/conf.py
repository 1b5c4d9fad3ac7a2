"""Sphinx configuration; `make docs` builds the site into build/docs. Nothing is downloaded."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "src"))
sys.path.insert(0, str(HERE))

from api_pages import write_api_pages  # noqa: E402
from command_pages import write_command_pages  # noqa: E402

from doyle.base.version import __version__  # noqa: E402

project = "doyle"
author = "The doyle authors"
copyright = "The doyle authors, MIT licence"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "docstrings"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"doyle {__version__}"
html_static_path = ["_static"]
html_css_files = ["doyle.css"]
html_copy_source = False
html_show_sphinx = False

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_default_options = {
    "members": True,
    "show-inheritance": False,
    "no-value": True,
    "exclude-members": "metadata, registry",  # of SQLAlchemy, with its own markup
}
add_module_names = False
python_maximum_signature_line_length = 88
toc_object_entries = False

# Types in signatures may be of other libraries, of kernels or variables: they have no page here.
nitpick_ignore_regex = [("py:(class|obj)", ".*")]
suppress_warnings = ["ref.python"]

write_api_pages(HERE / "reference" / "api")
write_command_pages(HERE / "reference" / "commands")
