"""The models that the practice API offers, as GET /v1/models tells of them."""

from .. import models
from .errors import Refused, bad_request


def model_list(params) -> dict:
    """The answer to GET /v1/models: at most `limit` rows, after `after_id` or before `before_id`."""
    ids = list(models.MODELS)
    for name in ("after_id", "before_id"):
        if params.get(name) and params[name] not in ids:
            raise bad_request(f"{name}: no model is named {params[name]!r}")
    if params.get("after_id"):
        ids = ids[ids.index(params["after_id"]) + 1 :]
    if params.get("before_id"):
        ids = ids[: ids.index(params["before_id"])]
    limit = params.get("limit", "20")
    if not limit.isascii() or not limit.isdigit() or not 1 <= int(limit) <= 1000:
        raise bad_request("limit: Input should be from 1 to 1000")
    rows = [model_info(model_id) for model_id in ids[: int(limit)]]
    first, last = (rows[0]["id"], rows[-1]["id"]) if rows else (None, None)
    more = len(ids) > len(rows)
    return {"data": rows, "has_more": more, "first_id": first, "last_id": last}


def model_info(model_id: str) -> dict:
    """The answer to GET /v1/models/{id}. The release date is given as unknown: the epoch."""
    if model_id not in models.MODELS:
        raise Refused(404, "not_found_error", f"model: {model_id}")
    model = models.model(model_id)
    return {
        "type": "model",
        "id": model.id,
        "display_name": model.name,
        "created_at": "1970-01-01T00:00:00Z",
        "lifecycle": "active",
        "max_input_tokens": model.window,
        "max_tokens": model.max_output,
    }
