"""The same bet of 2.5 pots, read by every mapping between a pot bet and ten pots."""

from doyle.translation import mapping, mapping_names

for name in mapping_names():
    chosen = mapping(name)
    share = float(chosen.probability(1.0, 10.0, 2.5))
    print(
        f"{name:<12} reads it as a pot bet with {share:.3f}; even at {chosen.median(1.0, 10.0):.3f}"
    )
