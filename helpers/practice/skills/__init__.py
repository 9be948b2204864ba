"""What the practice model can do: one module each, asked in this order."""

from helpers.practice.skills import fallback, recalling

SKILLS = [recalling.answer, fallback.answer]
