"""The Dockerfile and the compose file, as far as they can be checked without Docker; and that
docs/hosts.md lists every setting."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import yaml

from sandtable.server import limits, schemas, security, wire

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
CONFIG = (ROOT / "src" / "sandtable" / "server" / "config.py").read_text(encoding="utf-8")

INSTRUCTIONS = {
    "FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL",
    "HEALTHCHECK", "CMD",
}  # fmt: skip


def settings() -> set[str]:
    """The variables that the server reads, and the one that names the folder of compiled code."""
    names = re.findall(r'given\.(?:text|one_of|number|factor)\(\s*"([A-Z_]+)"', CONFIG)
    return {f"SANDTABLE_{name}" for name in (*names, "CACHE")}


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile line by line, continued lines put together."""
    text = re.sub(r"^\s*#.*\n", "", DOCKERFILE, flags=re.MULTILINE).replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines]


def stages() -> list[list[tuple[str, str]]]:
    found: list[list[tuple[str, str]]] = []
    for name, rest in instructions():
        if name == "FROM":
            found.append([])
        found[-1].append((name, rest))
    return found


def test_the_settings_are_found() -> None:
    assert {"SANDTABLE_DATABASE_URL", "SANDTABLE_PORT", "SANDTABLE_RATE"} <= settings()


def test_the_dockerfile_has_known_instructions_in_three_stages() -> None:
    assert {name for name, _ in instructions()} <= INSTRUCTIONS
    assert len(stages()) == 3
    for stage in stages():
        image = stage[0][1].split()[0]
        assert re.fullmatch(r"[a-z]+:[\w.-]+", image) and not image.endswith(":latest")


def test_the_image_copies_what_there_is() -> None:
    names = {rest.split(" AS ")[1] for name, rest in instructions() if " AS " in rest}
    for name, rest in instructions():
        if name != "COPY":
            continue
        words = shlex.split(rest)
        if words[0].startswith("--from="):
            assert words[0].removeprefix("--from=") in names
            continue
        for source in words[:-1]:
            assert (ROOT / source).exists(), source
            kept = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
            assert f"!{source.split('/')[0]}" in kept, f"{source} is ignored"


def test_the_image_runs_the_server_as_nobody_special() -> None:
    last = dict(stages()[-1])
    assert last["CMD"] == '["sandtable", "serve"]'
    assert last["USER"] == "sandtable"
    variables = set(re.findall(r"(SANDTABLE_\w+)=", last["ENV"]))
    assert variables and variables <= settings()


def test_the_compose_file_is_sound() -> None:
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    services = compose["services"]
    assert set(services) == {"database", "sandtable", "proxy"}
    server = services["sandtable"]
    assert set(server["environment"]) <= settings()
    assert server["environment"]["SANDTABLE_DATABASE_URL"].startswith("postgresql://")
    assert int(server["environment"]["SANDTABLE_PROCESSES"]) > 1
    for name, service in services.items():
        for volume in service["volumes"]:
            assert volume.split(":")[0] in compose["volumes"]
        for needed in service.get("depends_on", {}):
            # The image of the server brings its own.
            assert "healthcheck" in services[needed] or "build" in services[needed], name
    assert "ports" not in server, "only the proxy is reached from outside"
    assert all(service["networks"] == ["inside"] for service in services.values())
    proxy = services["proxy"]
    assert all(port.startswith("127.0.0.1:") for port in proxy["ports"])
    subnet = compose["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    assert server["environment"]["SANDTABLE_PROXIES"] == subnet
    assert server["ulimits"]["nofile"] >= wire.MOST + wire.SPARE


def test_the_proxy_has_the_bounds_of_the_server() -> None:
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    assert compose["services"]["proxy"]["configs"][0]["source"] == "proxy"
    content = compose["configs"]["proxy"]["content"]
    assert not re.search(r"(?<!\$)\$(?!\$)", content), "compose would take a single $ for its own"
    found = {
        line.split(None, 1)[0]: line.split(None, 1)[1].rstrip(";")
        for line in (each.strip() for each in content.splitlines())
        if " " in line and line.endswith(";")
    }
    assert found["limit_conn"] == f"people {wire.PER_ADDRESS}"
    assert found["client_header_timeout"] == f"{wire.HEAD_SECONDS:.0f}s"
    assert found["client_body_timeout"] == f"{security.BODY_SECONDS}s"
    assert found["large_client_header_buffers"] == f"4 {wire.LINE // 1000}k"
    assert f"rate={limits.ADDRESS.per_second:.0f}r/s" in found["limit_req_zone"]
    assert f"burst={limits.ADDRESS.burst:.0f}" in found["limit_req"]
    assert f"client_max_body_size {security.BODY // 1000}k;" in content
    assert f"client_max_body_size {schemas.UPLOAD // 1_000_000}m;" in content
    assert content.count("{") == content.count("}")
    uploads = re.search(r"location ~ (\S+) \{", content)
    assert uploads
    for path in security.UPLOAD_PATHS:
        assert re.fullmatch(uploads[1].replace("$$", "$"), path), path


def test_the_docs_list_every_setting_and_no_other() -> None:
    docs = (ROOT / "docs" / "hosts.md").read_text(encoding="utf-8")
    table = set(re.findall(r"^\| `(SANDTABLE_\w+)`", docs, flags=re.MULTILINE))
    assert table == settings()
