"""The memory tool: known to the API by its type alone, so that its schema comes from here.

The service also adds a few sentences to the system prompt of a request that offers it. Ours (our
words, about as long) travel with the tool: they count as tokens, and the reply half needs none.
"""

TYPE = "memory_20250818"

_PATH = {"type": "string", "description": "Where: a path that begins with /memories."}
_COMMANDS = ("view", "create", "str_replace", "insert", "delete", "rename")
SCHEMA = {
    "type": "object",
    "properties": {
        "command": {"type": "string", "enum": list(_COMMANDS), "description": "What to do."},
        "path": _PATH,
        "view_range": {
            "type": "array",
            "items": {"type": "integer"},
            "description": "view: first and last line; -1 is the end.",
        },
        "file_text": {"type": "string", "description": "create: the whole text of the file."},
        "old_str": {"type": "string", "description": "str_replace: what goes, found once."},
        "new_str": {"type": "string", "description": "str_replace: what comes instead."},
        "insert_line": {"type": "integer", "description": "insert: after which line; 0: first."},
        "insert_text": {"type": "string", "description": "insert: the new lines."},
        "old_path": {"type": "string", "description": "rename: the path as it is."},
        "new_path": {"type": "string", "description": "rename: the path as it shall be."},
    },
    "required": ["command"],
    "additionalProperties": False,
}
DESCRIPTION = "Reads and writes notes that outlive this conversation, kept as files in /memories."
INSTRUCTIONS = (
    "View the directory /memories first: earlier work may have left its progress there. Write down "
    "what was found, what was done and what comes next while working, since the context can end at "
    "any moment and what is not in a file is then lost. Keep the files tidy: rename or delete what "
    "is out of date, and write only what later work needs."
)


def expanded(tools: list[dict] | None) -> list[dict] | None:
    """The tools of a request as the model sees them: the memory tool with description and schema."""
    if not tools or all(tool.get("type") != TYPE for tool in tools):
        return tools
    known = {"description": DESCRIPTION, "input_schema": SCHEMA, "instructions": INSTRUCTIONS}
    return [{**tool, **known} if tool.get("type") == TYPE else tool for tool in tools]
