"""Vectors of texts: texts of similar meaning have vectors that point the same way.

They come from the package wordllama, whose files lie in the installed package: nothing is fetched.
Where it is not installed memories are found by their words, ids and dates alone.
"""

import functools
import logging
from importlib.util import find_spec
from pathlib import Path

MODEL = "wordllama l2_supercat 256"  # stored beside each vector: others cannot be compared with it
DIMENSIONS = 256
WITHOUT = (
    "wordllama is not installed here (it has no wheel for every platform), so memories are found by "
    "their words, ids and dates, not by meaning: use Python 3.11 to 3.13 on Linux x86-64, Windows "
    "or macOS to have both."
)


class Embedder:
    """Makes vectors: float32, of length 1 (all zeros for a text in which nothing can be read)."""

    def __init__(self, model):
        self._model = model

    def __call__(self, texts: list[str]):
        """An array of len(texts) x DIMENSIONS."""
        import numpy as np

        made = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        full = [n for n, text in enumerate(texts) if text.strip()]
        if full:
            found = self._model.embed([texts[n].lower() for n in full], norm=False)
            lengths = np.linalg.norm(found, axis=1, keepdims=True)
            made[full] = found / np.where(lengths > 0, lengths, 1)
        return made


@functools.cache
def shared_embedder() -> Embedder | None:
    """The one of this process, loaded at first use (about a second). None where it cannot be
    imported, which is said once."""
    spec = find_spec("wordllama")
    # The package sets up logging when it is imported. With a handler there already it does not,
    # and the reader's notebook stays as quiet as it was.
    root, quiet = logging.getLogger(), logging.NullHandler()
    root.addHandler(quiet)
    try:
        from wordllama import WordLlama
    except ImportError:
        print(WITHOUT)
        return None
    finally:
        root.removeHandler(quiet)
    folder = Path(spec.submodule_search_locations[0])
    return Embedder(WordLlama.load(cache_dir=folder, disable_download=True))


def to_bytes(vector) -> bytes:
    """As it is stored: 256 numbers of four bytes, the lowest byte first."""
    return vector.astype("<f4").tobytes()


def fits(stored) -> bool:
    """Whether stored bytes are a vector of ours."""
    return isinstance(stored, bytes) and len(stored) == 4 * DIMENSIONS
