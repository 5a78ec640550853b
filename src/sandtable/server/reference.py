"""The OpenAPI file as a page for people, which needs no script and nothing from elsewhere."""

from __future__ import annotations

from html import escape
from typing import Any

_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
code, pre { font: .9rem/1.4 ui-monospace, monospace; }
summary { cursor: pointer; padding: .35rem .5rem; border-radius: .4rem; }
summary:hover { background: #8883; }
h3 { margin-bottom: 0; } h3 code { font-weight: 700; font-size: 1.05rem; }
:target { background: #fc08; }
.method { display: inline-block; min-width: 5rem; font-weight: 700; }
.what { opacity: .8; margin-left: .75rem; }
.inside { margin: .25rem 0 1rem 1.5rem; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .15rem .8rem .15rem 0;
vertical-align: top; }
"""


def page(openapi: dict[str, Any]) -> str:
    """All paths by subject, with what they take and answer, and the records they are made of."""
    info = openapi["info"]
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width"><link rel="icon" href="/icon.svg">',
        f"<title>Sandtable: the API</title><style>{_STYLE}</style></head><body><main>",
        f"<h1>Sandtable {escape(info['version'])}: the API</h1>",
        f"<p>{_prose(info['description'])}</p>",
        '<p>Every error is a <a href="#Problem">Problem</a>. The same page for programs: '
        '<a href="/openapi.json">openapi.json</a>.</p>',
    ]
    for tag in openapi["tags"]:
        found = "".join(
            _operation(method, path, operation)
            for path, methods in openapi["paths"].items()
            for method, operation in methods.items()
            if tag["name"] in operation.get("tags", ())
        )
        if found:
            parts.append(f"<h2>{escape(tag['description'])}</h2>{found}")
    parts.append("<h2>Records</h2>")
    for name, schema in sorted(openapi["components"]["schemas"].items()):
        parts.append(
            f'<h3 id="{escape(name)}"><code>{escape(name)}</code></h3>'
            f'<div class="inside">{_record(schema)}</div>'
        )
    parts.append("</main></body></html>")
    return "\n".join(parts)


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    inside = []
    if "security" in operation:
        inside.append("<p>For guests and accounts, by cookie or token.</p>")
    if "description" in operation:
        inside.append(f"<p>{_prose(operation['description'])}</p>")
    if operation.get("parameters"):
        rows = "".join(
            f"<tr><td><code>{escape(p['name'])}</code></td><td>{escape(p['in'])}</td>"
            f"<td>{_kind(p.get('schema', {}))}</td>"
            f"<td>{'' if p.get('required') else 'optional'}</td></tr>"
            for p in operation["parameters"]
        )
        inside.append(f"<table>{rows}</table>")
    if "requestBody" in operation:
        inside.append(f"<p>Takes {_content(operation['requestBody'])}.</p>")
    answers = [
        f"<tr><td>{status}</td><td>{_content(answer)}</td>"
        f"<td>{escape(answer['description'])}</td></tr>"
        for status, answer in operation["responses"].items()
        if status.startswith("2")
    ]
    inside.append(f"<table>{''.join(answers)}</table>")
    return (
        f'<details><summary><span class="method">{method.upper()}</span>'
        f"<code>{escape(path)}</code>"
        f'<span class="what">{escape(operation.get("summary", ""))}</span></summary>'
        f'<div class="inside">{"".join(inside)}</div></details>'
    )


def _content(holder: dict[str, Any]) -> str:
    kinds = [_kind(media.get("schema", {})) for media in holder.get("content", {}).values()]
    return " or ".join(kinds) or "nothing"


def _record(schema: dict[str, Any]) -> str:
    words = f"<p>{_prose(schema['description'])}</p>" if "description" in schema else ""
    if "properties" not in schema:
        return words + f"<p>{_kind(schema)}</p>"
    required = schema.get("required", ())
    rows = "".join(
        f"<tr><td><code>{escape(name)}</code></td><td>{_kind(field)}</td>"
        f"<td>{'' if name in required else 'optional'}</td>"
        f"<td>{_prose(field.get('description', ''))}</td></tr>"
        for name, field in schema["properties"].items()
    )
    return f"{words}<table>{rows}</table>"


def _kind(schema: dict[str, Any]) -> str:
    """A type in a few words, with links to records."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rsplit("/", 1)[-1])
        return f'<a href="#{name}">{name}</a>'
    for union in ("anyOf", "oneOf", "allOf"):
        if union in schema:
            return " or ".join(_kind(part) for part in schema[union])
    if "enum" in schema:
        return " or ".join(f"<code>{escape(str(value))}</code>" for value in schema["enum"])
    if "const" in schema:
        return f"<code>{escape(str(schema['const']))}</code>"
    kind = schema.get("type", "anything")
    if "prefixItems" in schema:
        return f"list of {', '.join(_kind(part) for part in schema['prefixItems'])}"
    if kind == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"map to {_kind(schema['additionalProperties'])}"
    return escape(str(kind))


def _prose(text: str) -> str:
    """Text with `code` in it."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if n % 2 else part for n, part in enumerate(parts))
