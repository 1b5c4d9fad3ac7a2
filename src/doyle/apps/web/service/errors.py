"""Refusals of the service, with the status codes of the API."""

from __future__ import annotations


class ServiceError(Exception):
    """A request that cannot be met; the text is for the caller."""

    status = 400


class UnknownTableError(ServiceError):
    """No such table of this player; tables of others do not exist for a player."""

    status = 404

    def __init__(self) -> None:
        super().__init__("no such table")


class UnknownHandError(ServiceError):
    status = 404

    def __init__(self) -> None:
        super().__init__("no such hand")


class UnknownAgentError(ServiceError):
    status = 422


class IllegalActionError(ServiceError):
    status = 422


class ConflictError(ServiceError):
    """The hand has moved on since the request was made."""

    status = 409


class TooManyError(ServiceError):
    status = 429
