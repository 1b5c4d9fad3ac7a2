"""Play over the network by the ACPC protocol: our agents at other dealers, other bots at ours.

A match between clients is a match between agents, each of which is asked over a connection, so deals,
forfeits, logs and statistics are those of `doyle.matches`.

In reading order:

`connections`    lines over TCP that never block, with bounded buffers
`protocol`       the version line, and what a client answers to a state
`seat`           a client as an agent of a match, with its clocks
`deviations`     where clients depart from the protocol
`dealer`         a match between clients
`client`         an agent at a dealer
`keys`           the dice of one seat, in a file
"""

from doyle.network.client import PlayedMatch, play, ready_agent
from doyle.network.connections import Connection, connect
from doyle.network.dealer import LOOPBACK, Dealer, DealtMatch, seat_client
from doyle.network.deviations import Deviation, Deviations
from doyle.network.keys import SeatKeys, read_keys, write_keys
from doyle.network.seat import ConnectedAgent, NetworkSeat, TimeLimits

__all__ = [
    "LOOPBACK",
    "ConnectedAgent",
    "Connection",
    "Dealer",
    "DealtMatch",
    "Deviation",
    "Deviations",
    "NetworkSeat",
    "PlayedMatch",
    "SeatKeys",
    "TimeLimits",
    "connect",
    "play",
    "read_keys",
    "ready_agent",
    "seat_client",
    "write_keys",
]
