"""What the server answers when something cannot be done: a status and a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.kernel.errors import SandtableError


class Problem(SandtableError):
    """Answered as `{"error", "rule", "field"}` with this status."""

    def __init__(
        self,
        status: int,
        error: str,
        *,
        rule: str = "",
        field: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(error)
        self.status = status
        self.error = error
        self.rule = rule
        self.field = field
        self.headers = dict(headers or {})

    def plain(self) -> dict[str, str]:
        """The body of the answer; what is empty is left out."""
        fields = {"error": self.error, "rule": self.rule, "field": self.field}
        return {name: value for name, value in fields.items() if value or name == "error"}


class Unavailable(Problem):
    """The database cannot be used just now. Nothing was stored, nothing acknowledged is lost."""

    def __init__(self, error: str) -> None:
        super().__init__(503, error, headers={"Retry-After": "5"})
