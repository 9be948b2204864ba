"""How the practice model summarises: which material it was given, what that states, in whose mouth."""
