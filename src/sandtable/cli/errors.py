"""What a person typed and the program did not understand."""

from sandtable.kernel.errors import SandtableError


class Unclear(SandtableError):
    """Input that cannot be understood; one sentence says why and what to type instead."""
