"""What IJCAI 2013 (section 11) advises on bet sizes, tried in Hold'em."""

from __future__ import annotations

from collections.abc import Mapping

from doyle.papers.claims.deciding import Claim

LARGEST = "the largest size"
BET_LESS_KNOWN = "bet less known, mbb/h given away"

_ADVICE = Claim(
    "the largest size is worth more to know than to bet",
    lambda view: [view(LARGEST, BET_LESS_KNOWN)],
)
CLAIMS: Mapping[str, tuple[Claim, ...]] = {
    "beyond/bet-sizes-holdem": (_ADVICE,),
    "beyond/bet-sizes-exploiters": (_ADVICE,),
}
