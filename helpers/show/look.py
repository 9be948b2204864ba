"""One look for every figure: opaque, readable in print and by the colour-blind."""

import logging

# Okabe and Ito's palette, in the order in which lines take them; yellow is too pale for a line.
COLOURS = {
    "blue": "#0072B2",
    "vermilion": "#D55E00",
    "green": "#009E73",
    "purple": "#CC79A7",
    "sky": "#56B4E9",
    "orange": "#E69F00",
    "black": "#000000",
}
LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1)), (0, (3, 1, 1, 1)))
SIZE = (6.5, 3.2)  # inches


def style() -> None:
    """Make matplotlib draw in the course's style from now on, whatever the reader's own file says.

    Lines differ in colour and in dashes. A dollar sign is a dollar sign, not a formula.
    """
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # "building the font cache", once
    import matplotlib
    from matplotlib import cycler

    matplotlib.rcdefaults()  # leaves the backend alone
    matplotlib.rcParams.update(
        {
            "figure.figsize": SIZE,
            "figure.dpi": 100,
            "figure.facecolor": "white",
            "figure.constrained_layout.use": True,
            "axes.facecolor": "white",
            "axes.prop_cycle": cycler(color=list(COLOURS.values())) + cycler(linestyle=LINES),
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "axes.axisbelow": True,
            "axes.titlelocation": "left",
            "axes.titlesize": 11,
            "grid.alpha": 0.3,
            "lines.linewidth": 2,
            "font.size": 10,
            "legend.frameon": False,
            "hatch.linewidth": 0.6,
            "text.parse_math": False,
        }
    )


def axes(xlabel: str = "", ylabel: str = "", title: str = "", size=SIZE):
    """An empty figure and its axes, `(fig, ax)`, labelled; say the unit in each label.

    `size` in inches. The figure is not pyplot's: nothing appears until `show.figure(fig, text)`.
    """
    style()
    from matplotlib.figure import Figure

    fig = Figure(figsize=size)
    ax = fig.subplots()
    ax.set(xlabel=xlabel, ylabel=ylabel, title=title)
    return fig, ax
