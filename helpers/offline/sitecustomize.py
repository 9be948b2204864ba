"""Keeps a run offline: with this folder first on PYTHONPATH, Python reaches only this machine.

Python imports a module of this name when it starts, so kernels and the programs that they start
are covered as well. It watches Python's own sockets, blocking and asyncio, TCP and UDP, and name
look-ups. It is a guard against mistakes: programs in other languages are not held by it, and on
Windows neither is asyncio's own connect to an address in digits.
"""

import sys

LOOKUPS = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")
CONTACTS = ("socket.connect", "socket.sendto", "socket.sendmsg")


def is_here(host) -> bool:
    """Whether `host` (a name, an address or None) is this machine, by what it says alone."""
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if host is None or host in ("", "localhost"):
        return True
    import ipaddress

    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False  # a name: looking it up could already leave the machine
    address = getattr(address, "ipv4_mapped", None) or address
    return address.is_loopback or address.is_unspecified


def watch(event: str, args: tuple) -> None:
    """The audit hook: raises OSError for a look-up or contact beyond this machine."""
    if event in LOOKUPS:
        if not is_here(args[0]):
            from _socket import gaierror

            raise gaierror(-2, f"this run is offline: look-up of {args[0]!r} refused")
    elif event in CONTACTS:
        address = args[1]  # internet addresses are tuples that start with a host
        if isinstance(address, tuple) and address and isinstance(address[0], str | bytes):
            if not is_here(address[0]):
                raise OSError(f"this run is offline: contact with {address!r} refused")


if not getattr(sys, "_course_offline", False):  # an audit hook cannot be taken off again
    sys._course_offline = True
    sys.addaudithook(watch)
