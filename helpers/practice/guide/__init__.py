"""How the practice model guides: the guide's file, what is wished, and what fits.

The vocabulary (kinds, districts, themes, diets, features) is read from the guide. Here stand only
general words for such things, so another guide is read as well as this one.
"""
