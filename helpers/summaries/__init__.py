"""The rolling summary: what is dropped from the window is folded into a few lines of prose.

    result = fold(client, summary, trimmed.dropped)
    if result.ok:
        summary = result.text      # else: keep the old one and the dropped turns for the next try

`merge_summary` is the plain step, one call; `fold` also checks what came back (`check_summary`),
asks once more and carries over what is still missing. `build_request_system_prompt` and
`summary_message` are the two places where a summary can stand in a request.
"""

from .checking import SummaryCheck, check_summary
from .merging import SummaryResult, fold, merge_summary
from .placing import HEADING, build_request_system_prompt, summary_message
from .stated import Fact, facts

__all__ = [
    "HEADING",
    "Fact",
    "SummaryCheck",
    "SummaryResult",
    "build_request_system_prompt",
    "check_summary",
    "facts",
    "fold",
    "merge_summary",
    "summary_message",
]
