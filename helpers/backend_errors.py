"""What goes wrong between the course and whoever answers: one sentence with the way out."""


class BackendError(RuntimeError):
    """A backend cannot be used, or cannot do what was asked; one sentence with the way out."""

    def _render_traceback_(self) -> list[str]:  # what Jupyter shows: the sentence is enough
        return [f"{type(self).__name__}: {self}"]


class BudgetReached(BackendError):
    """The next call could pass `max_dollars`; it was not sent."""
