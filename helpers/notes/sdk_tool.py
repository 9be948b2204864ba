"""The provider's memory tool over our files: subclasses of the SDK's abstract tools.

The classes are made at first use, since importing the SDK takes more than a second.
"""

import asyncio
import functools

from .files import MemoryFiles
from .tree import MemoryRefused


def memory_tool(files: MemoryFiles, *, cache_control: dict | None = None):
    """The memory tool (`memory_20250818`) for `client.beta.messages.tool_runner(tools=[...])`.

    It is an `anthropic.tools.BetaAbstractMemoryTool`; what is refused raises the SDK's ToolError,
    which the runner hands to the model as a result with `is_error`.
    """
    return _classes()[0](files, cache_control)


def async_memory_tool(files: MemoryFiles, *, cache_control: dict | None = None):
    """The same for an `AsyncAnthropic`; the database is asked in a thread."""
    return _classes()[1](files, cache_control)


@functools.cache
def _classes() -> tuple[type, type]:
    from anthropic.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError

    def run(files: MemoryFiles, command) -> str:
        """command: what the model wrote, or the object that the SDK made of it."""
        if hasattr(command, "to_dict"):
            command = command.to_dict()
        try:
            return files.run(command)
        except MemoryRefused as refused:
            raise ToolError(str(refused)) from None

    class DatabaseMemoryTool(BetaAbstractMemoryTool):
        def __init__(self, files: MemoryFiles, cache_control: dict | None = None):
            super().__init__(cache_control=cache_control)
            self.files = files

        def call(self, input) -> str:
            return run(self.files, input)

        view = create = str_replace = insert = delete = rename = call

        def clear_all_memory(self) -> str:
            return self.files.clear_all_memory()

    class AsyncDatabaseMemoryTool(BetaAsyncAbstractMemoryTool):
        def __init__(self, files: MemoryFiles, cache_control: dict | None = None):
            super().__init__(cache_control=cache_control)
            self.files = files

        async def call(self, input) -> str:
            return await asyncio.to_thread(run, self.files, input)

        view = create = str_replace = insert = delete = rename = call

        async def clear_all_memory(self) -> str:
            return await asyncio.to_thread(self.files.clear_all_memory)

    return DatabaseMemoryTool, AsyncDatabaseMemoryTool
