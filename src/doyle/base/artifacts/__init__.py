"""Files that last: a content-addressed store of arrays with a manifest.

An artifact is named by its `Description` (what it is and the parameters that made it). It is a folder
with `manifest.json` and raw little-endian arrays, built under another name and renamed when whole, so a
reader sees all of it or none. No artifact is ever unpickled.

In reading order:

`files`        writing whole files: to another name, flushed, renamed; one process at a time
`documents`    JSON and TOML that anybody may have written, read with limits; problems in one line, values with sources
`manifest`     what an artifact is, its arrays and their checksums
`store`        artifacts found, built and checked under the cache folder
`checkpoints`  what long work kept: the steps of a build, and numbered snapshots of something that keeps improving
`audit`        everything in a cache against its checksum
`listing`      what a cache holds, for people
"""

from doyle.base.artifacts.checkpoints import Checkpoints, Stages
from doyle.base.artifacts.store import Artifact, Builder, Description, Store

__all__ = ["Artifact", "Builder", "Checkpoints", "Description", "Stages", "Store"]
