"""Tools from plain functions: the docstring is the description, the signature is the schema.

    @tool(order_id="The order, such as {order}.")
    def get_order(self, order_id: str): ...

What stands in braces is filled in from the world, so that an example has the form of its ids.
"""

import inspect
from collections.abc import Callable, Mapping

KINDS = {str: "string", int: "integer", float: "number"}


class ToolError(Exception):
    """What a tool answers when it cannot do what it was asked: one sentence with the way out."""


def tool(**parameters: str):
    """Marks a function as a tool; a sentence for each parameter."""

    def mark(function: Callable) -> Callable:
        function.parameters = parameters
        return function

    return mark


def definition(function: Callable, fill: Mapping[str, str], more: Mapping[str, Mapping]) -> dict:
    """The tool as a request carries it: name, description and schema.

    fill: what stands for {names} in descriptions. more: further schema fields by parameter name,
    such as a pattern or the allowed values.
    """
    properties, required = {}, []
    for name, parameter in _parameters(function).items():
        properties[name] = {
            "type": KINDS[parameter.annotation],
            "description": function.parameters[name].format(**fill),
            **more.get(name, {}),
        }
        if parameter.default is inspect.Parameter.empty:
            required.append(name)
        elif parameter.default is not None:
            properties[name]["default"] = parameter.default
    return {
        "name": function.__name__,
        "description": " ".join(inspect.getdoc(function).format(**fill).split()),
        "input_schema": {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        },
    }


def arguments(function: Callable, given) -> dict:
    """`given` as the function takes it; ToolError says what is wrong with it."""
    known = _parameters(function)
    if not isinstance(given, Mapping):
        raise ToolError(f"The input is an object with {', '.join(known) or 'nothing in it'}.")
    for name in given:
        if name not in known:
            raise ToolError(f"There is no parameter {name!r}: use {', '.join(known) or 'none'}.")
    made = {}
    for name, parameter in known.items():
        if name not in given:
            if parameter.default is inspect.Parameter.empty:
                raise ToolError(f"The parameter {name} is missing: {function.parameters[name]}")
            continue
        value, kind = given[name], parameter.annotation
        fits = isinstance(value, int | float if kind is float else kind)
        if not fits or isinstance(value, bool):
            raise ToolError(f"{name} must be a {KINDS[kind]}, and is {type(value).__name__}.")
        made[name] = value
    return made


def _parameters(function: Callable) -> dict[str, inspect.Parameter]:
    parameters = inspect.signature(function).parameters.items()
    return {n: p for n, p in parameters if n != "self" and p.kind is not p.KEYWORD_ONLY}
