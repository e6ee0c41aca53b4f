"""Troubles with a team's host, told apart by what follows from them."""


class HostAwayError(Exception):
    """The host cannot complete; the message is a sentence without its end."""


class HostBusyError(Exception):
    """The host has too much to do; the same request may be answered later. The message is a clause."""


class HostRefusalError(Exception):
    """The host does not take this request; the message is a clause."""


class TakenBackError(Exception):
    """The request was cancelled, or the session closed, before the answer came."""
