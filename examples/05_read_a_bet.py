"""The same bet of 2.5 pots, read by every mapping between a pot bet and ten pots."""

import doyle
from doyle.strategy.translation import mapping_names

for name in mapping_names():
    read = doyle.translate(2.5, (1.0, 10.0), mapping=name)
    print(
        f"{name:<16} reads it as a pot bet with {read.probability_of_lower:.3f}; "
        f"even at {read.median:.3f}"
    )
