"""The site: `make docs` writes it to out/docs, without a network, and nothing on it asks for one.

Markdown pages lie beside this file. Tutorials are the scripts of examples/tutorials, executed; the
gallery and the list of reproductions come from the registries (`written.py`).
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE), str(ROOT / "src")]

import docstrings  # noqa: E402
import live  # noqa: E402

import dalembert  # noqa: E402

project = "dalembert"
author = copyright = "the dalembert developers"
release = version = dalembert.__version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.mathjax"]
exclude_patterns = ["_build", "images/README.md"]
html_theme = "furo"
html_title = f"dalembert {release}"
html_static_path = ["_static"]
html_favicon = "_static/favicon.svg"
html_css_files = ["katex/katex.min.css", "viewer.css", "site.css"]
html_js_files = [
    ("katex/auto-render.min.js", {"defer": "defer"}),
    ("formulas.js", {"defer": "defer"}),
    ("live.js", {}),
    ("copy.js", {"defer": "defer"}),
    ("explore.js", {"defer": "defer"}),
]
html_show_sphinx = False
html_copy_source = False
pygments_style, pygments_dark_style = "friendly", "monokai"

# Formulas by KaTeX from our own files; Sphinx's name for "what draws formulas" is MathJax.
mathjax_path = "katex/katex.min.js"
mathjax_options = {"defer": "defer"}
myst_update_mathjax = False
math_eqref_format = "({number})"
math_numfig = False
myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence", "deflist"]
myst_heading_anchors = 4
myst_dmath_double_inline = True
# short names of types (`Row`) have several targets; a link leads to the first
suppress_warnings = ["misc.highlighting_failure", "ref.python"]

# Outputs of tutorials are kept from build to build, as long as the library is the same.
sources = sorted((ROOT / "src").rglob("*.py"))
digest = hashlib.sha256(b"".join(p.read_bytes() for p in sources)).hexdigest()[:16]
nb_execution_mode = "cache"
cache = ROOT / "out" / "docs-cache"
for old in [x for x in cache.glob("*") if x.name != digest]:
    shutil.rmtree(old)
nb_execution_cache_path = str(cache / digest)
nb_execution_timeout = 300

# Kernels talk over this machine's own network, and each would warn of it.
quiet = ROOT / "out" / "ipython" / "profile_default" / "ipython_kernel_config.py"
quiet.parent.mkdir(parents=True, exist_ok=True)
quiet.write_text("c.IPKernelApp.log_level = 40\n")
os.environ["IPYTHONDIR"] = str(quiet.parent.parent)
# As in the tests: most of the time of a page goes into compiling code that runs once. Page
# "symmetries" takes 17.1 s of CPU with it, 21.4 s without.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")
nb_execution_raise_on_error = True
nb_execution_in_temp = True
nb_merge_streams = True
nb_execution_show_tb = True
nb_number_source_lines = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
napoleon_numpy_docstring = False


def setup(app):
    """Write what is made from sources, and read docstrings as the plain text that they are."""
    docstrings.setup(app)
    app.connect("builder-inited", write)
    app.connect("build-finished", share)


def write(app):
    """Pages from sources, by a process of its own: Sphinx forks, and JAX must not have begun."""
    subprocess.run([sys.executable, str(HERE / "written.py"), app.srcdir], check=True)


def share(app, exception):
    """One viewer for all pages, in place of one in each picture."""
    if exception is None and app.builder.format == "html":
        live.share(Path(app.outdir))
