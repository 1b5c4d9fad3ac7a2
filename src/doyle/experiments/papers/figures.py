"""Drawing a `Figure`: the same curves as PNG and as SVG, byte for byte the same on every run."""

from __future__ import annotations

import io
from pathlib import Path

from doyle.artifacts.files import replacing
from doyle.experiments.papers.result import Figure


def draw(figure: Figure, folder: Path) -> tuple[Path, ...]:
    """Write `figure` under `folder` and return the files."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    written = []
    with matplotlib.rc_context({"svg.hashsalt": figure.name}):
        plot, axes = pyplot.subplots(figsize=(7, 4.5))
        for style, curve in zip(("-", "--", "-.", ":") * 4, figure.curves, strict=False):
            axes.plot(curve.xs, curve.ys, style, label=curve.label)
        axes.set_title(figure.title)
        axes.set_xlabel(figure.x_label)
        axes.set_ylabel(figure.y_label)
        if figure.logarithmic_x:
            axes.set_xscale("log")
        axes.grid(visible=True, alpha=0.3)
        axes.legend()
        plot.tight_layout()
        for kind in ("png", "svg"):
            buffer = io.BytesIO()
            metadata = {"Date": None} if kind == "svg" else {"Software": None}
            plot.savefig(buffer, format=kind, dpi=150, metadata=metadata)
            path = folder / f"{figure.name}.{kind}"
            with replacing(path, "wb") as stream:
                stream.write(buffer.getvalue())
            written.append(path)
        pyplot.close(plot)
    return tuple(written)
