"""The paths of the server; docs/protocol.md describes them."""
