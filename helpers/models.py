"""The models in use: ids, windows, prices. No other file names a model or states a price.

Sources: list prices and windows of October 2026 (`PRICES_DATED`), US dollars per million tokens.
"""

from dataclasses import dataclass

CHAT_MODEL = SUMMARY_MODEL = "claude-haiku-5-5"
AGENT_MODEL = NOTES_MODEL = "claude-sonnet-5-5"

LOCAL_MODEL = "SmolLM2-135M-Instruct"  # of connect("local"): free, on this machine, very small
LOCAL_WINDOW = 8_192  # tokens, prompt and reply together

PRICES_DATED = "October 2026"


class UnknownModel(ValueError):
    """Asked about a model that the table does not hold."""


@dataclass(frozen=True)
class Price:
    """List prices in US dollars per million tokens, for prompts of at most `up_to` tokens."""

    input: float
    cache_write_5m: float
    cache_write_1h: float
    cache_read: float
    output: float
    up_to: int | None = None  # tokens of the whole prompt; None: no upper end


@dataclass(frozen=True)
class Model:
    """What the course needs to know about one model; sizes in tokens."""

    id: str
    name: str
    window: int  # prompt and reply together
    max_output: int
    min_cacheable: int  # a shorter prefix is silently not cached
    prices: tuple[Price, ...]  # by rising `up_to`
    prefill: bool = False  # may the last message be an assistant message?
    always_thinks: bool = False  # thinking cannot be switched off; no forced tool choice
    system_messages: bool = False  # accepts role "system" inside `messages`
    budgeted_thinking: bool = False  # accepts thinking {"type": "enabled", "budget_tokens": ...}
    binds_thinking: bool = False  # a thinking block is valid only after what it was written after
    keeps_thinking: bool = True  # thinking of earlier turns stays when it is not said what to keep

    def price(self, prompt_tokens: int) -> Price:
        """The price that applies to a prompt of `prompt_tokens` tokens (cached ones included)."""
        return next(p for p in self.prices if p.up_to is None or prompt_tokens <= p.up_to)


_MODELS = (
    Model("claude-fable-5-1", "Claude Fable 5.1", 1_000_000, 128_000, 512,
          (Price(10, 12.50, 20, 0.25, 50),),
          always_thinks=True, binds_thinking=True, system_messages=True),
    Model("claude-opus-5-5", "Claude Opus 5.5", 1_000_000, 128_000, 512,
          (Price(4, 5, 8, 0.20, 20),),
          always_thinks=True, binds_thinking=True, system_messages=True),
    # The smallest cacheable prefix of the next two is not published: 1,024 is our assumption.
    Model("claude-sonnet-5-5", "Claude Sonnet 5.5", 1_000_000, 128_000, 1_024,
          (Price(2, 2.50, 4, 0.10, 10),)),
    Model("claude-haiku-5-5", "Claude Haiku 5.5", 1_000_000, 128_000, 1_024,
          (Price(0.10, 0.125, 0.20, 0.01, 0.50, up_to=100_000),
           Price(0.50, 0.625, 1.00, 0.05, 2.50))),
    Model("claude-haiku-4-5", "Claude Haiku 4.5", 200_000, 64_000, 4_096,
          (Price(1, 1.25, 2, 0.10, 5),),
          prefill=True, budgeted_thinking=True, keeps_thinking=False),
)  # fmt: skip

MODELS: dict[str, Model] = {m.id: m for m in _MODELS}


def model(model_id: str) -> Model:
    """The table's row for `model_id`; UnknownModel names the ids that it holds."""
    try:
        return MODELS[model_id]
    except (KeyError, TypeError):
        known = ", ".join(MODELS)
        raise UnknownModel(
            f"{model_id!r} is not in helpers/models.py, which knows {known}"
        ) from None
