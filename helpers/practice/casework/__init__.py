"""Working a case with tools: what is known, what to look up next, what the rules say of it.

Nothing here knows a subject: keys of results, schemas and descriptions of tools are all it goes by.
"""
