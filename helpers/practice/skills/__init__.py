"""What the practice model can do: one module a skill, asked in this order until one answers.

A skill is a function `answer(request) -> Reply | None`; None means that it does not apply. Adding a
skill adds one module and one line here. The last one always answers.
"""

from . import (
    calling,
    fallback,
    filling,
    guiding,
    instructions,
    looking,
    noting,
    recalling,
    remembering,
    smalltalk,
    summarising,
    working,
)

SKILLS = [
    filling.answer,
    looking.answer,
    summarising.answer,
    instructions.answer,
    working.answer,
    remembering.answer,
    calling.answer,
    smalltalk.answer,
    guiding.answer,
    recalling.answer,
    noting.answer,
    fallback.answer,
]
