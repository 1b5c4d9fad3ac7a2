"""Files that last: a content-addressed store of arrays with a manifest.

An artifact is named by its `Description` (what it is and the parameters that made it). It is a
folder with `manifest.json` and raw little-endian arrays, built under another name and renamed when
whole, so a reader sees all of it or none. Nothing is ever unpickled.
"""

from doyle.artifacts.checkpoints import Checkpoints
from doyle.artifacts.stages import Stages
from doyle.artifacts.store import Artifact, Builder, Description, Store

__all__ = ["Artifact", "Builder", "Checkpoints", "Description", "Stages", "Store"]
