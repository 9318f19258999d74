from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Tuple


@dataclass(frozen=True)
class FieldProblem:
    """One refused field of a request."""

    path: str
    message: str


class MalipoError(Exception):
    """An error answer. `code` is the number of the API: /docs/errors of the host lists them all."""

    status: int
    #: 2702 amount outside the limits, 2781 key refused, 2783 no such checkout, 1804 too many requests, 2752 try again, …
    code: int
    #: The id of the request, for support to find this answer.
    request_id: str
    #: The refused fields, with code 1701.
    problems: Tuple[FieldProblem, ...]

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        problems = tuple(FieldProblem(one["path"], one["message"]) for one in body.get("errors", ()))
        where = ", ".join(f"{one.path} {one.message}" for one in problems)
        super().__init__(f"{body['description']}{where and f': {where}'} (code {body['code']})")
        self.status = status
        self.code = body["code"]
        self.request_id = body["request_id"]
        self.problems = problems
        self._body = body

    def __reduce__(self) -> Tuple[Any, ...]:
        # Without this, unpickling calls __init__ with the text alone, and a process pool cannot send the error back.
        return type(self), (self.status, self._body)


class MalipoConnectionError(Exception):
    """No answer came, or a malformed one: the request may have succeeded."""
