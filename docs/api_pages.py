"""The pages of the API reference: one per package, from its docstrings, in reading order.

Packages come from the top layer down, as `.importlinter` lists them. Within a package the modules are
in the order in which its docstring names them, and the others follow by name. Kernels and other
private modules have no page: their docstrings are for readers of the code.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

FRONT = """# The front door

```{eval-rst}
.. automodule:: doyle
   :no-members:

.. automodule:: doyle.apps.front
   :no-members:
```

"""


FUNCTIONS = ("solve", "spot", "build", "load", "exploitability", "abstraction", "read_hands")
"""Of the front door, in the order of a first reading; others follow by name."""


def write_api_pages(folder: Path) -> None:
    """Write `index.md`, `doyle.md` and a page for every package; nothing that is the same."""
    names = packages()
    pages = {"index.md": _index(names), "doyle.md": FRONT + _public_names()}
    pages |= {f"{name}.md": _page(name) for name in names}
    write_pages(folder, pages)


def write_pages(folder: Path, pages: dict[str, str]) -> None:
    """Write the pages that have changed into a folder and remove those that are gone."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in folder.glob("*.md"):
        if path.name not in pages:
            path.unlink()


def packages() -> list[str]:
    """The rooms of doyle from the top layer down, and the table in the browser for `apps`."""
    text = (Path(__file__).parent.parent / ".importlinter").read_text(encoding="utf-8")
    layers = text.partition("layers =")[2].partition("\n\n")[0].replace("|", " ").split()
    return ["apps.web" if name == "apps" else name for name in layers]


def _index(names: list[str]) -> str:
    listed = "\n".join(["doyle", *names])
    return (
        "# API reference\n\n"
        "`import doyle` is the [front door](doyle.md); behind it stand the packages below, from the "
        "top layer down.\nImports go down only, so a page needs nothing from those above it. "
        "[Commands](../commands/index.md) have pages of their own.\n\n"
        f"```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n"
    )


def _public_names() -> str:
    doyle = import_module("doyle")
    home = doyle._HOMES
    own = [name for name in home if home[name].startswith("doyle.apps.front")]
    classes = sorted(name for name in own if isinstance(getattr(doyle, name), type))
    blocks = [
        *(f".. autofunction:: {home[name]}.{name}\n" for name in FUNCTIONS),
        *(
            f".. autofunction:: {home[name]}.{name}\n"
            for name in sorted({*own} - {*FUNCTIONS, *classes})
        ),
        *(f".. autoclass:: {home[name]}.{name}\n" for name in classes),
    ]
    others = []
    for name in sorted({*home} - {*own}):
        role = "class" if isinstance(getattr(doyle, name), type) else "func"
        where = _defined(home[name], name)
        others.append(f"- `doyle.{name}` is {{py:{role}}}`{home[name]}.{name} <{where}>`")
    return (
        "## Functions and results\n\n```{eval-rst}\n" + "\n".join(blocks) + "```\n\n"
        "## From the packages\n\n" + "\n".join(others) + "\n"
    )


def _defined(module: str, name: str) -> str:
    value = getattr(import_module(module), name)
    return f"{value.__module__}.{name}"


def _page(name: str) -> str:
    package = import_module(f"doyle.{name}")
    lines = [f"# {name}", "", "```{eval-rst}", f".. automodule:: doyle.{name}"]
    if not hasattr(package, "__path__"):
        return "\n".join([*lines, "```", ""])
    lines += ["   :no-members:", "```", ""]
    for module in _modules(f"doyle.{name}"):
        title = module.removeprefix(f"doyle.{name}.")
        lines += [
            f"## {title}",
            "",
            "```{eval-rst}",
            f".. automodule:: {module}",
            *_own(module),
            "```",
            "",
        ]
    return "\n".join(lines)


def _own(module: str) -> list[str]:
    """For a package inside a room: the names that it defines, as those it imports have their own place."""
    found = import_module(module)
    if not hasattr(found, "__path__"):
        return []
    own = [name for name, one in vars(found).items() if getattr(one, "__module__", "") == module]
    return [f"   :members: {', '.join(own)}" if own else "   :no-members:"]


def _modules(package: str) -> list[str]:
    """The public modules below a package, in the order in which its docstring names them."""
    found = import_module(package)
    text = found.__doc__ or ""
    names = [entry.name for entry in iter_modules(found.__path__) if not entry.name.startswith("_")]

    def place(name: str) -> tuple[int, str]:
        mention = re.search(rf"`(?:doyle\.[a-z_.]*)?{name}`", text)
        return (mention.start() if mention else len(text), name)

    modules: list[str] = []
    for name in sorted(names, key=place):
        full = f"{package}.{name}"
        modules.append(full)
        if hasattr(import_module(full), "__path__"):
            modules += _modules(full)
    return modules
