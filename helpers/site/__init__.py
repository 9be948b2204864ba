"""The course as a website: every lesson as it was run, to be read without running anything.

python -m helpers.site                 # builds _site/, to be opened at _site/index.html
python -m helpers.site --output DIR    # elsewhere

Needs no network to build or to read: no page fetches anything from another address.
"""

from .build import SiteError, build
from .contents import Lesson, lessons

__all__ = ["Lesson", "SiteError", "build", "lessons"]
