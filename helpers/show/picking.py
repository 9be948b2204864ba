"""Buttons beside a list: JupyterLab keeps the arrow keys for itself when a list has the focus."""


def step_buttons(chosen, what: str) -> list:
    """Two buttons that move the choice of `chosen` (an ipywidgets Select) by one; what: "block"."""
    import ipywidgets as widgets

    def step(by: int):
        def move(_) -> None:
            if chosen.options:
                last = len(chosen.options) - 1
                chosen.index = min(max((chosen.index or 0) + by, 0), last)

        return move

    names = {-1: f"one {what} back", 1: f"one {what} on"}
    buttons = [
        widgets.Button(
            description=name, tooltip=f"Choose the {what} {'above' if by < 0 else 'below'}"
        )
        for by, name in names.items()
    ]
    for button, by in zip(buttons, names, strict=True):
        button.on_click(step(by))
    return buttons
