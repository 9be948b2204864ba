"""The texts of the lab: a courier's log of one parcel, as long as it is needed."""

import random

PLACES = "mill depot harbour chapel bakery quarry library orchard ferry station market".split()
KINDS = "old north red stone upper lower west green east white black south".split()
VERBS = "scanned weighed sorted loaded unloaded moved".split()
PEOPLE = """Bruno Carla Dmitri Elsa Farid Greta Hugo Irina Jonas Kaya Leon Mira Nadia Otto Petra
Quentin Rosa Samir Tilda Ursula Viktor Wanda Yusuf Zelda""".split()
CLERKS = 6  # of the people: they are in the events


def event(random_: random.Random, clerks: list[str], numbers: list[int]) -> str:
    """One line of the log; `numbers` loses the one that it takes."""
    verb, kind, place = random_.choice(VERBS), random_.choice(KINDS), random_.choice(PLACES)
    by = random_.choice(clerks)
    return f"The parcel was {verb} at the {kind} {place} by {by} under number {numbers.pop()}."


def log(lines: int, seed: int) -> list[str]:
    """A log that shares its first words with no log of another seed."""
    random_ = random.Random(seed)
    numbers = random_.sample(range(1000, 10_000), lines + 1)
    clerks = random_.sample(PEOPLE, CLERKS)
    first = f"Log number {numbers.pop()}."  # nothing before it can be read from a cache
    return [first, *(event(random_, clerks, numbers) for _ in range(lines - 1))]
