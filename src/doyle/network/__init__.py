"""Play over the network by the ACPC protocol: our agents at other dealers, other bots at ours."""

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
