"""A chat folded ten times, by prose, by notes that replace each other, and by notes that are merged.

How many of the facts that were stated so far does each still hold after each round? Facts are given
as the words that must stand together in one sentence or one entry.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from helpers import cartwise
from helpers.compaction import CaseNotes, merge_notes, notes_message
from helpers.compaction.asking import ask
from helpers.messages import text_of
from helpers.models import NOTES_MODEL, SUMMARY_MODEL
from helpers.summaries import merge_summary

ROUNDS = 10
MAX_TOKENS = 4_000


@dataclass(frozen=True)
class Chat:
    """`said`: {"messages", "facts": [{"message": index, "must": [words], "gone": [words]}]}."""

    said: dict

    @property
    def messages(self) -> list[dict]:
        return self.said["messages"]

    def rounds(self, number: int = ROUNDS) -> Iterator[tuple[list[dict], list[str], list[dict]]]:
        """For each round its messages, their ids, and the facts that hold by the end of it."""
        size = -(-len(self.messages) // number)
        for start in range(0, len(self.messages), size):
            end = min(start + size, len(self.messages))
            ids = [f"m{n + 1}" for n in range(start, end)]
            yield self.messages[start:end], ids, cartwise.facts_until(self.said, end)


def cartwise_chat(seed: int | None = None) -> Chat:
    """The chat of sixty messages that the course comes with, or one of another seed."""
    return Chat(cartwise.chat(seed))


def entries_of(memory: CaseNotes | str) -> list[str] | str:
    """A summary as it is, or the entries of notes."""
    if isinstance(memory, str):
        return memory
    lists = [memory.order_ids, memory.already_offered, memory.open_questions]
    texts = [memory.customer_problem, memory.customer_wants]
    return [*texts, *(fact.text for fact in memory.facts_established), *sum(lists, [])]


# --- one round, in four ways ----------------------------------------------------------------------


def merged_prose(client, memory, messages, ids):
    """The rolling summary of lesson 06: the old one and the new turns, merged by a model."""
    return merge_summary(client, memory or "", messages, max_tokens=1_000).text


def retold_prose(client, memory, messages, ids):
    """A summary of a summary: the model reads the old one as the beginning of the conversation."""
    told = "\n".join(f"{m['role']}: {text_of(m)}" for m in messages)
    asked = f"Summarise this conversation in one paragraph.\n\n{memory or ''}\n\n{told}".strip()
    reply = client.messages.create(
        model=SUMMARY_MODEL, max_tokens=1_000, messages=[{"role": "user", "content": asked}]
    )
    return text_of(reply)


def merged_notes(client, memory, messages, ids):
    """Notes of the new messages alone, merged into the old ones by code."""
    return merge_notes(memory, _asked(client, messages, ids, memory))


def replaced_notes(client, memory, messages, ids):
    """The model reads the old notes and the new messages; what it writes is all there is."""
    if memory is not None:
        messages, ids = [notes_message(memory), *messages], ["notes", *ids]
    return _asked(client, messages, ids)


def _asked(client, messages, ids, so_far=None) -> CaseNotes:
    asked = ask(client, NOTES_MODEL, MAX_TOKENS, messages, ids, so_far)
    assert asked.notes is not None, asked.fault
    return asked.notes


WAYS = {
    "merged notes": merged_notes,
    "replaced notes": replaced_notes,
    "merged prose": merged_prose,
    "retold prose": retold_prose,
}


def facts_kept(way, client, chat: Chat, number: int = ROUNDS) -> list[tuple[int, int]]:
    """(facts still there, facts stated so far) after each round."""
    memory, figures = None, []
    for messages, ids, facts in chat.rounds(number):
        memory = way(client, memory, messages, ids)
        figures.append((len(cartwise.facts_in(entries_of(memory), facts)), len(facts)))
    return figures
