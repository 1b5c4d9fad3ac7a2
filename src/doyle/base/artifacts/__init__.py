"""Files that last: a content-addressed store of arrays with a manifest.

An artifact is named by its `Description` (its kind and the parameters that made it). It is a folder
with `manifest.json` and raw little-endian arrays, built under another name and renamed when
complete, so a reader never sees a partial artifact. No artifact is ever unpickled.

In reading order:

`files`        writing whole files: to another name, flushed, renamed; one process at a time
`documents`    JSON and TOML that anybody may have written, read with limits; problems in one line, values with sources
`manifest`     the description of an artifact, its arrays and their checksums
`store`        artifacts found, built and checked under the cache folder
`checkpoints`  saved state of long work: the steps of a build, and numbered snapshots of an
    iterative solve
`audit`        everything in a cache against its checksum
`listing`      the contents of a cache, as readable rows
"""

from doyle.base.artifacts.checkpoints import Checkpoints, Stages
from doyle.base.artifacts.store import Artifact, Builder, Description, Store

__all__ = ["Artifact", "Builder", "Checkpoints", "Description", "Stages", "Store"]
