"""The picture of the course: a request to scale, by kind of block, with its tokens."""

from dataclasses import dataclass

from ..messages import blocks
from ..practice import tokenizer
from .basics import figure, output
from .look import COLOURS, axes

UNIT = "practice tokens"  # counted by the practice model's own rule, exact for it alone
MOST_BLOCKS = 24  # a bar with more of them is drawn one piece for each kind


@dataclass(frozen=True)
class Part:
    """One block of a request: its kind, its tokens (wrapping included) and how it begins.

    `count` is how many blocks stand behind it when blocks of one kind were put together.
    """

    kind: str
    tokens: int
    begins: str
    count: int = 1


# kind: face, hatching; told apart by hatching alone, in print and without colour
LOOKS = {
    "tools": ("#F0E442", "o"),
    "system": (COLOURS["orange"], "//"),
    "user": (COLOURS["sky"], ""),
    "assistant": (COLOURS["green"], "\\\\"),
    "tool call": (COLOURS["purple"], "xx"),
    "tool result": (COLOURS["vermilion"], ".."),
    "thinking": ("#BBBBBB", "--"),
    "image or document": ("#FFFFFF", "||"),
    "other": ("#FFFFFF", "++"),
}


def context_parts(request) -> list[Part]:
    """The blocks of `request` in the order in which the model reads them: tools, system, messages.

    Their tokens add up to the request's. A list counts as a request that has only messages.
    ValueError says what cannot be read.
    """
    body = request if isinstance(request, dict) else {"messages": request}
    try:
        return [*_tools(body), *_system(body), *_messages(body)]
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(
            "this is not a request that can be shown: it takes a dict with `messages` "
            f"(and `system`, `tools`), or the list of messages ({type(error).__name__}: {error})"
        ) from None


def _tools(body):
    for tool in body.get("tools") or []:
        name = tool.get("name") or tool.get("type") or "?"
        yield Part("tools", tokenizer.count_request({"tools": [tool]}), str(name))


def _system(body):
    if system := body.get("system"):
        text = system if isinstance(system, str) else " ".join(b.get("text", "") for b in system)
        yield Part("system", tokenizer.count_request({"system": system}), text)


def _messages(body):
    for message in body["messages"] if "messages" in body else ():
        content = blocks(message)
        role = message["role"] if isinstance(message, dict) else message.role
        wrapping = tokenizer.count_message({"content": content}) - tokenizer.count_blocks(content)
        if not content:
            yield Part(role, wrapping, "(empty)")
        for block in content:
            yield Part(
                _kind(role, block), tokenizer.count_blocks([block]) + wrapping, _begins(block)
            )
            wrapping = 0


def _kind(role, block) -> str:
    kind = block.get("type")
    if kind == "text":
        return role if role in ("user", "assistant", "system") else "other"
    if kind in ("tool_use", "tool_result"):
        return {"tool_use": "tool call", "tool_result": "tool result"}[kind]
    if kind in ("thinking", "redacted_thinking"):
        return "thinking"
    return "image or document" if kind in ("image", "document") else "other"


def _begins(block) -> str:
    kind = block.get("type")
    if kind == "text":
        return block["text"]
    if kind == "tool_use":
        return f"{block['name']} {block['input']}"
    if kind == "tool_result":
        content = block.get("content") or ""
        return content if isinstance(content, str) else " ".join(map(_begins, content))
    if kind == "thinking":
        return block.get("thinking", "")
    return str(kind)


def by_kind(parts: list[Part]) -> list[Part]:
    """One part for each kind, in the order of first appearance."""
    kinds: dict[str, list[Part]] = {}
    for part in parts:
        kinds.setdefault(part.kind, []).append(part)
    return [
        Part(kind, sum(p.tokens for p in group), "", len(group)) for kind, group in kinds.items()
    ]


def context_view(*requests, title: str | None = None, titles=()) -> None:
    """Show one request, or several under each other on one scale: each block as wide as its tokens.

    A request is the dict of keyword arguments of `client.messages.create`, or a list of messages.
    `titles` names the requests. With more than 24 blocks in one of them the bars are drawn one
    piece for each kind. Blocks with their tokens stand in the words beside the figure.
    """
    try:
        bars = [context_parts(request) for request in requests]
    except ValueError as error:
        output(f"[context] {error}")
        return
    if not bars:
        output("[context] nothing to show")
        return
    names = [*map(str, titles), *(f"request {n}" for n in range(len(titles) + 1, len(bars) + 1))]
    if len(bars) == 1 and not titles:
        names = [title or "the request"]
    grouped = max(map(len, bars)) > MOST_BLOCKS
    sums = [by_kind(bar) for bar in bars]
    drawn = sums if grouped else bars
    caption = f"{title}. " if title and len(bars) > 1 else ""
    caption += " ".join(_sentence(n, b) for n, b in zip(names, sums, strict=False))
    details = "\n".join(_listing(n, b) for n, b in zip(names, drawn, strict=False))
    figure(_draw(drawn, names, title if len(bars) > 1 else None), caption, details)


def _sentence(name, kinds) -> str:
    total = sum(p.tokens for p in kinds)
    shares = ", ".join(f"{_named(p)} {p.tokens:,}" for p in kinds)
    return f"{name[:1].upper()}{name[1:]}: {total:,} {UNIT}" + (f" ({shares})." if shares else ".")


def _named(part) -> str:
    return part.kind if part.count == 1 else f"{part.kind} ×{part.count:,}"


def _listing(name, parts) -> str:
    lines = [f"{name}: {sum(p.tokens for p in parts):,} {UNIT}"]
    wide = max((len(_named(p)) for p in parts), default=0)
    for part in parts:
        begins = " ".join(part.begins.split())
        begins = begins if len(begins) <= 48 else begins[:47] + "…"
        lines.append(f"  {_named(part):{wide}}  {part.tokens:>7,}  {begins}".rstrip())
    return "\n".join(lines)


def _draw(bars, names, title):
    totals = [sum(p.tokens for p in bar) for bar in bars]
    longest = max([*totals, 1])
    fig, ax = axes(f"tokens of the request ({UNIT})", title=title or "", size=(6.5, 1.5))
    fig.set_figheight(1.1 + 0.75 * len(bars))
    for row, (bar, total) in enumerate(zip(bars, totals, strict=True)):
        left = 0
        for part in bar:
            face, hatch = LOOKS.get(part.kind, LOOKS["other"])
            ax.barh(
                row, part.tokens, 0.62, left, color=face, hatch=hatch, edgecolor="black", lw=0.8
            )
            room = part.tokens / longest * 60  # letters of this size that the piece has room for
            label = f"{_named(part)}\n{part.tokens:,}"
            if len(_named(part)) + 2 > room:
                label = f"{part.tokens:,}"
            if len(label.split("\n")[-1]) + 2 <= room:
                ax.text(
                    left + part.tokens / 2, row, label, ha="center", va="center", fontsize=8,
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
                )  # fmt: skip
            left += part.tokens
        ax.text(total + longest * 0.01, row, f"{total:,}", va="center", weight="bold")
    ax.set_yticks(range(len(bars)), names)
    ax.set_ylim(len(bars) - 0.5, -0.5)
    ax.set_xlim(0, longest * 1.1)
    ax.grid(False)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    _legend(fig, bars)
    return fig


def _legend(fig, bars) -> None:
    """What the hatchings mean; for a single bar with the tokens, as small pieces have no room."""
    from matplotlib.patches import Patch

    kinds = by_kind([part for bar in bars for part in bar])
    if len(kinds) < 2:
        return
    patches = []
    for part in kinds:
        face, hatch = LOOKS.get(part.kind, LOOKS["other"])
        label = f"{part.kind} {part.tokens:,}" if len(bars) == 1 else part.kind
        patches.append(Patch(facecolor=face, hatch=hatch, edgecolor="black", lw=0.8, label=label))
    fig.legend(handles=patches, loc="outside lower left", ncols=4, fontsize=8, handlelength=2.4)
