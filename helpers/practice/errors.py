"""Error answers as the Messages API words them (`sdk.md` section 9 of the course's notes)."""

from dataclasses import dataclass, field

# status -> (error type, the usual message); what an injected failure says
USUAL = {
    400: ("invalid_request_error", "Bad request"),
    401: ("authentication_error", "Invalid bearer token"),
    402: ("billing_error", "Your credit balance is too low to access the API"),
    403: ("permission_error", "Your API key does not have permission to use this resource"),
    404: ("not_found_error", "Not found"),
    408: ("timeout_error", "Request timed out"),
    409: ("invalid_request_error", "Conflict"),
    413: ("request_too_large", "Request exceeds the maximum size"),
    422: ("invalid_request_error", "Unprocessable request"),
    429: ("rate_limit_error", "This request would exceed your rate limit"),
    500: ("api_error", "Internal server error"),
    503: ("api_error", "Service unavailable"),
    504: ("timeout_error", "Gateway timeout"),
    529: ("overloaded_error", "Overloaded"),
}


@dataclass
class Refused(Exception):
    """The API's answer to a request that it does not accept."""

    status: int
    type: str
    message: str
    headers: dict[str, str] = field(default_factory=dict)
    details: dict = field(default_factory=dict)  # with `error_code`, when the cause has a name

    def body(self, request_id: str) -> dict:
        """The JSON body of the answer."""
        error = {"type": self.type, "message": self.message}
        if self.details:
            error["details"] = self.details
        return {"type": "error", "error": error, "request_id": request_id}


def bad_request(message: str, error_code: str | None = None, **details) -> Refused:
    """A 400. With an `error_code` the SDK raises the class of that name."""
    if error_code:
        details = {"error_code": error_code, **details}
    return Refused(400, "invalid_request_error", message, details=details)


def compaction_unavailable() -> Refused:
    """The 529 of a summary that could not be written for a passing reason."""
    details = {"error_code": "compaction_unavailable"}
    headers = usual(529).headers
    return Refused(529, "overloaded_error", "Compaction is unavailable", headers, details)


def usual(status: int) -> Refused:
    """The usual answer for `status`. ValueError names the statuses that the API uses."""
    if status not in USUAL:
        raise ValueError(
            f"no API error has status {status!r}; there are {', '.join(map(str, USUAL))}"
        )
    # a rate limit says when to come back; a millisecond keeps a practice retry short
    headers = {"retry-after-ms": "1"} if status in (429, 529) else {}
    return Refused(status, *USUAL[status], headers)
