"""Play over the network by the ACPC protocol: our agents at other dealers, other bots at ours.

A dealer plays the same match as `doyle.matches` does, with seats on the other side of a connection;
the log is the same. Input from the network is never trusted: lines and buffers have limits, and a
client that departs from the protocol is counted, not believed.

In reading order:

`protocol`     the version line, and the answers of clients to states
`connections`  lines over TCP that never block, with bounded buffers
`seat`         a remote client as an agent of a match
`deviations`   a client's departures from the protocol
`dealer`       a match between clients, one port for each
`client`       an agent of ours at another dealer
`keys`         the dice of one seat, hand by hand, for an agent that plays over the network
"""

from doyle.matches.network.client import PlayedMatch, play, ready_agent
from doyle.matches.network.connections import Connection, connect
from doyle.matches.network.dealer import LOOPBACK, Dealer, DealtMatch, seat_client
from doyle.matches.network.deviations import Deviation, Deviations
from doyle.matches.network.keys import SeatKeys, read_keys, write_keys
from doyle.matches.network.seat import ConnectedAgent, NetworkSeat, TimeLimits

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
