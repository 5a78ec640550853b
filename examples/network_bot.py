"""A player that is a program, over the network: it takes a seat and decides at random.

    python examples/network_bot.py https://host/join/INVITATION?game=GAME
    python examples/network_bot.py https://host/game/GAME --seat 2

The first takes the seat of an invite link, the second a seat that is open to everybody (they are
numbered from 0). Without --token the program is a guest. To play under your own name make a token
on the account page, and put it into the variable SANDTABLE_TOKEN.

It needs `httpx` and `websockets`. docs/protocol.md describes what is sent; to make a better player
of this, write another `choose`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect


def choose(legal: list[dict[str, Any]], observed: dict[str, Any]) -> dict[str, Any]:
    """One of the legal decisions. `observed` is all that we may see of the game."""
    return random.choice(legal)


class Player:
    """A person at the server, as far as the server can tell."""

    def __init__(self, server: str, token: str, name: str) -> None:
        self.server = server
        self.http = httpx.Client(base_url=server, timeout=30)
        if token:
            self.http.headers["Authorization"] = f"Bearer {token}"
        else:
            self.ask("POST", "/api/guests", json={"name": name})
        # A browser's cookie needs this with everything that changes something; a token does not.
        self.http.headers["X-CSRF-Token"] = self.ask("GET", "/api/me")["csrf"] or ""

    def ask(self, method: str, path: str, **request: Any) -> Any:
        """What the server answers. It is asked again if it cannot be reached, or is busy."""
        while True:
            try:
                response = self.http.request(method, path, **request)
            except httpx.TransportError as error:
                print(f"The server does not answer ({error}). Trying again.")
                time.sleep(2)
                continue
            if response.status_code in (429, 503):
                time.sleep(float(response.headers.get("Retry-After", "2")))
                continue
            if response.is_error:
                raise httpx.HTTPStatusError(
                    response.json()["error"], request=response.request, response=response
                )
            return response.json()

    def play(self, game: str) -> str:
        """Play until the game is over; the reason why it is."""
        path = f"/api/games/{game}"
        while True:
            info = self.ask("GET", path)
            if info["status"] == "over":
                return str(info["result"]["reason"])
            try:
                self.follow(path)
            except (OSError, WebSocketException) as error:
                print(f"The connection broke ({error}). Connecting again.")
                time.sleep(1)

    def follow(self, path: str) -> None:
        """Listen to the game, and decide whenever it waits for us; returns when it is over."""
        address = "ws" + self.server.removeprefix("http") + path + "/socket"
        headers = {}
        if token := self.http.headers.get("Authorization"):
            headers["Authorization"] = token
        else:
            cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
            headers["Cookie"] = cookies
        with connect(address, additional_headers=headers, max_size=None) as socket:
            for message in socket:
                told = json.loads(message)
                if told["type"] in ("hello", "info") and told["info"]["status"] == "over":
                    return
                # `hello` and `update` say what is open for us, and at which version.
                if told.get("pending"):
                    self.decide(path, told["pending"][0]["power"], told["version"])

    def decide(self, path: str, power: str, version: int) -> None:
        """Answer the request that waits for one of our powers."""
        try:
            legal = self.ask("GET", path + "/legal", params={"power": power, "limit": 50})
            observed = self.ask("GET", path + "/observe", params={"power": power})
            decision = choose(legal["decisions"], observed)
            answer = {"power": power, "decision": decision, "version": version}
            self.ask("POST", path + "/decisions", json=answer)
        except httpx.HTTPStatusError as error:
            # Somebody else was faster: what comes next by the socket says how things stand now.
            if error.response.status_code != 409:
                raise
        else:
            print(f"{power}: {json.dumps(decision)[:120]}")


def main() -> None:
    parser = argparse.ArgumentParser(description="A random player over the network.")
    parser.add_argument("link", help="the address of the game, or an invite link")
    parser.add_argument("--seat", type=int, help="the number of an open seat, from 0")
    parser.add_argument("--name", default="Network bot", help="its name, as a guest")
    parser.add_argument("--token", default=os.environ.get("SANDTABLE_TOKEN", ""))
    given = parser.parse_args()
    link = urlsplit(given.link)
    # /game/GAME, or an invite link: /join/INVITATION?game=GAME
    page, _, name = link.path.strip("/").rpartition("/")
    game, invite = name, ""
    if page == "join":
        game, invite = parse_qs(link.query).get("game", [""])[0], name
    try:
        player = Player(f"{link.scheme}://{link.netloc}", given.token, given.name)
        if invite or given.seat is not None:
            seat = {"invite": invite} if invite else {"seat": given.seat}
            # Our part of the dice: nobody can know them before all have given theirs.
            player.ask("POST", f"/api/games/{game}/join", json=seat)
        print(f"Playing {given.link}")
        print(player.play(game))
    except httpx.HTTPStatusError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
