"""The SDK's client over the practice API, strict about the shape of every answer."""

import anthropic
import httpx2

from helpers import backends
from helpers.practice import PracticeAPI


def make_client(kind=anthropic.Anthropic, http=httpx2.Client, **options):
    """kind, http: sync by default. options: of `PracticeAPI`."""
    return kind(
        api_key="practice",
        base_url=backends.PRACTICE_URL,
        max_retries=0,
        http_client=http(transport=PracticeAPI(**options)),
        _strict_response_validation=True,
    )
