"""Files that last: a content-addressed store of arrays with a manifest.

An artifact is named by its `Description` (what it is and the parameters that made it). It is a folder
with `manifest.json` and raw little-endian arrays, built under another name and renamed when whole, so a
reader sees all of it or none. No artifact is ever unpickled.

In reading order:

`files`        writing whole files: to another name, flushed, renamed
`documents`    JSON and TOML that anybody may have written, read with limits
`sourced`      values of descriptions with where they come from
`validation`   what is wrong with a description, in one line
`manifest`     what an artifact is, its arrays and their checksums
`store`        artifacts found, built and checked under the cache folder
`stages`       what the steps of a long build made, kept until the whole is done
`checkpoints`  numbered snapshots of something that keeps improving
`locks`        one process at a time, whatever happens to it
`audit`        everything in a cache against its checksum
`listing`      what a cache holds, for people
"""

from doyle.base.artifacts.checkpoints import Checkpoints
from doyle.base.artifacts.stages import Stages
from doyle.base.artifacts.store import Artifact, Builder, Description, Store

__all__ = ["Artifact", "Builder", "Checkpoints", "Description", "Stages", "Store"]
