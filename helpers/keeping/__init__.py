"""A server of ours that all processes share and that ends with its last user.

`lease.py` is the users' side, `keeper.py` the process that holds the server, `state.py` what the
two write down for each other.
"""

from .lease import Service, server_port, stop_server

__all__ = ["Service", "server_port", "stop_server"]
