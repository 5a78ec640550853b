"""Trust: dice that nobody chooses, names that nobody borrows, and log-ins that nobody locks."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import update

from sandtable.kernel.dice import VerifiedDice, commitment_to, dice_from_header
from sandtable.kernel.errors import SaveError
from sandtable.kernel.saves import verify
from sandtable.server import accounts, notices
from sandtable.server.app import create_app
from sandtable.server.config import Config
from sandtable.server.limits import GUESSES
from sandtable.server.notices import NotSent
from sandtable.server.routes import accounts as account_routes
from sandtable.server.tables import Account, GameRow, Remark, Seat
from tests.server.conftest import EITHER, Player, TestClient, guest
from tests.server.playing import table, watching

AXIS = ["germany", "japan"]
ALLIES = ["soviet_union", "united_kingdom", "united_states"]
HERS, HIS = "a1" * 16, "be" * 16


# --- dice ----------------------------------------------------------------------------------------


def seated(anna: Player, ben: Player) -> str:
    """The path of a table at which both have committed to a share; nobody has started it."""
    seats = [{"powers": AXIS, "kind": "me"}, {"powers": ALLIES, "kind": "open"}]
    id = anna.post("/api/games", {"game": "aa1942", "seats": seats}, 201)["id"]
    ben.post(f"/api/games/{id}/join", {"seat": 1, "commitment": commitment_to(HIS)})
    return f"/api/games/{id}"


@EITHER
def test_nobody_s_share_is_known_before_all_are_fixed(anna: Player, ben: Player) -> None:
    """Whoever starts the game, and may be in league with the host, knows no share of the others
    when its own is fixed."""
    path = seated(anna, ben)
    ben.post(f"{path}/reveal", {"entropy": HIS}, 409)
    info = anna.get(path)
    assert HIS not in json.dumps(info)
    info = anna.post(f"{path}/start", {"commitment": commitment_to(HERS)})
    assert info["status"] == "lobby"
    assert info["commitments"] == [commitment_to(HERS), commitment_to(HIS)]
    assert [seat["sealed"] for seat in info["seats"]] == [True, True]
    # Now they are fixed: another share is refused, and so is another seat.
    other = anna.post(f"{path}/reveal", {"entropy": "00" * 16}, 422)
    assert other["field"] == "entropy"
    anna.post(f"{path}/start", {"commitment": commitment_to("00" * 16)}, 409)
    ben.post(f"{path}/leave", status=409)
    ben.post(f"{path}/reveal", {"entropy": HIS})
    assert anna.get(path)["entropy"] == [], "nothing is fixed until all are there"
    info = anna.post(f"{path}/reveal", {"entropy": HERS})
    assert (info["status"], info["entropy"]) == ("running", [HERS, HIS])
    ben.post(f"{path}/reveal", {"entropy": HIS}, 409)


def test_everybody_is_told_that_the_game_waits_for_shares(anna: Player, ben: Player) -> None:
    path = seated(anna, ben)
    id = path.rpartition("/")[2]
    with watching(ben, id) as watcher:
        anna.post(f"{path}/start", {"commitment": commitment_to(HERS)})
        told = watcher.until_type("info")["info"]
        assert told["seats"][1]["sealed"] and told["seats"][1]["mine"]
        ben.post(f"{path}/reveal", {"entropy": HIS})
        anna.post(f"{path}/reveal", {"entropy": HERS})
        assert watcher.until_type("hello")["info"]["status"] == "running"


def test_a_share_that_never_comes_is_missing_for_all_to_see(
    anna: Player, ben: Player, app: FastAPI
) -> None:
    path = seated(anna, ben)
    anna.post(f"{path}/start", {"commitment": commitment_to(HERS)})
    anna.post(f"{path}/reveal", {"entropy": HERS})
    anna.post(f"{path}/start", status=409)
    with app.state.database.transaction() as session:
        ago = datetime.now(UTC) - timedelta(minutes=11)
        session.execute(update(GameRow).values(updated=ago))
    info = anna.post(f"{path}/start")
    assert (info["status"], info["entropy"]) == ("running", [HERS, ""])
    assert info["commitments"] == [commitment_to(HERS), commitment_to(HIS)]
    ben.post(f"{path}/resign", {"power": ALLIES[0]})
    save = ben.http.get(f"{path}/save").content
    assert verify(save).ok
    assert json.loads(save)["dice"]["commitments"] == info["commitments"]


def test_who_goes_for_good_while_the_game_starts_stops_that(anna: Player, ben: Player) -> None:
    path = seated(anna, ben)
    before = anna.post(f"{path}/start", {"commitment": commitment_to(HERS)})["commitment"]
    anna.post(f"{path}/reveal", {"entropy": HERS})
    ben.post("/api/me/delete")
    info = anna.get(path)
    assert (info["status"], info["seats"][1]["kind"]) == ("lobby", "open")
    assert info["commitments"] == [] and info["commitment"] != before
    anna.post(f"{path}/reveal", {"entropy": HERS}, 409)
    anna.post(f"{path}/start", {"commitment": commitment_to(HERS)}, 409)


def test_verify_finds_shares_that_were_chosen_afterwards() -> None:
    """The exploit: whoever knows the secret tries shares until the first dice are low."""
    secret, game = "5e" * 32, "g"
    commitments = (commitment_to(HERS), commitment_to(HIS))

    def total(share: str) -> int:
        dice = VerifiedDice(secret, (share, HIS), game, commitments)
        return sum(dice.roll(0, 30, 6))

    best = min((f"{number:032x}" for number in range(300)), key=total)
    chosen = VerifiedDice(secret, (best, HIS), game, commitments)
    assert total(best) < total(HERS)
    with pytest.raises(SaveError, match="not the one committed to"):
        dice_from_header(chosen.header())
    honest = VerifiedDice(secret, (HERS, HIS), game, commitments)
    assert dice_from_header(honest.header()) == honest
    for entropy in ((HERS,), (HIS, HERS), (HERS, HIS, best)):
        with pytest.raises(SaveError):
            dice_from_header(VerifiedDice(secret, entropy, game, commitments).header())


def test_dice_of_older_saves_are_as_they_were() -> None:
    old = VerifiedDice("5e" * 32, ("a0", "b0"), "g")
    assert "commitments" not in old.header()
    assert dice_from_header(old.header()) == old


# --- names ---------------------------------------------------------------------------------------


def registered(app: FastAPI, name: str) -> Player:
    player = Player(app)
    player.adopt(player.post("/api/accounts", {"name": name, "password": "12345678"}))
    return player


def open_table(anna: Player, **more: Any) -> dict[str, Any]:
    seats = [{"powers": AXIS, "kind": "me", **more}, {"powers": ALLIES, "kind": "open"}]
    made: dict[str, Any] = anna.post("/api/games", {"game": "aa1942", "seats": seats})
    return made


def test_a_guest_does_not_sit_under_a_registered_name(app: FastAPI, web: object) -> None:
    nina = registered(app, "Nina")
    mallory = guest(app, "Mallory")
    for name in ("Nina", "nina", " NINA ", "\uff2eina"):
        seats = [{"powers": [*AXIS, *ALLIES], "kind": "me", "player": name}]
        answer = mallory.post("/api/games", {"game": "aa1942", "seats": seats}, 409)
        assert "registered player" in answer["error"] and answer["field"] == "player"
        seats = [{**seats[0], "kind": "here"}]
        mallory.post("/api/games", {"game": "aa1942", "seats": seats}, 409)
        id = open_table(nina)["id"]
        mallory.post(f"/api/games/{id}/join", {"seat": 1, "player": name}, 409)
    info = open_table(nina)
    assert [seat["registered"] for seat in info["seats"]] == [True, False]
    assert not open_table(nina, player="Somebody")["seats"][0]["registered"]


def test_the_registered_player_keeps_the_name_and_the_guest_gets_the_number(
    app: FastAPI, web: object
) -> None:
    """A guest sat there before somebody registered the name."""
    early = guest(app, "Nina")
    id = open_table(early)["id"]
    nina = registered(app, "Nina")
    info = nina.post(f"/api/games/{id}/join", {"seat": 1})
    assert [(s["player"], s["registered"]) for s in info["seats"]] == [
        ("Nina (2)", False),
        ("Nina", True),
    ]
    said = nina.post(f"/api/games/{id}/chat", {"text": "It is me."})
    assert (said["name"], said["registered"]) == ("Nina", True)
    said = early.post(f"/api/games/{id}/chat", {"text": "Me too."})
    assert (said["name"], said["registered"]) == ("Nina (2)", False)


def test_a_guest_who_registers_is_marked_at_its_tables(app: FastAPI, web: object) -> None:
    nina = guest(app, "Nina")
    id = open_table(nina)["id"]
    nina.adopt(nina.post("/api/accounts", {"name": "Nina", "password": "12345678"}))
    assert nina.get(f"/api/games/{id}")["seats"][0]["registered"]
    nina.patch("/api/me", {"name": "Ninette"})
    assert not nina.get(f"/api/games/{id}")["seats"][0]["registered"], "anybody can be Nina now"


@pytest.mark.parametrize("name", ["Guest", "guest", "Former player", "Table"])
def test_names_that_all_have_cannot_be_registered(app: FastAPI, web: object, name: str) -> None:
    player = Player(app)
    player.post("/api/accounts", {"name": name, "password": "12345678"}, 409)
    nina = registered(app, "Nina")
    nina.patch("/api/me", {"name": name}, 409)


@EITHER
def test_a_deleted_name_is_gone_everywhere(app: FastAPI, web: object) -> None:
    nina, ben = registered(app, "Nina Unmistakable"), guest(app, "Ben")
    id = table(ben, "aa1942", [(ben, AXIS), (nina, ALLIES)])
    nina.post(f"/api/games/{id}/chat", {"text": "Hello"})
    with app.state.database.transaction() as session:
        # As results were written before.
        old = {"winners": AXIS, "reason": "Nina Unmistakable (Soviet Union) resigned."}
        head = session.get_one(GameRow, id)
        head.result, head.status = old, "over"
        said = "Nina Unmistakable is away: a bot plays on meanwhile."
        at = datetime.now(UTC)
        session.add(Remark(game=id, account=ben.id, name="", text=said, at=at))
    nina.post("/api/me/delete", {"password": "12345678"})
    with app.state.database.reading() as session:
        kept = [
            session.connection().execute(each.__table__.select()).all()
            for each in (Account, GameRow, Seat, Remark)
        ]
    assert "unmistakable" not in repr(kept).lower()
    assert "Former player" in ben.get(f"/api/games/{id}")["result"]["reason"]


# --- log-ins -------------------------------------------------------------------------------------


def test_guesses_from_elsewhere_do_not_lock_the_owner_out(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = count()
    monkeypatch.setattr(account_routes, "address_of", lambda scope: f"192.0.2.{next(addresses)}")
    body = {"name": "Nina", "password": "12345678"}
    with TestClient(create_app(Config(database_url))) as web:
        me = web.post("/api/accounts", json=body).json()
        web.request("DELETE", "/api/session", headers={"X-CSRF-Token": me["csrf"]})
        device = dict(web.cookies)
        assert list(device) == ["sandtable-device"]
        web.cookies.clear()
        for _ in range(int(GUESSES.burst)):
            wrong = {"name": "Nina", "password": "wrong guess"}
            assert web.post("/api/session", json=wrong).status_code == 401
        assert web.post("/api/session", json=body).status_code == 429, "a stranger has to wait"
        web.cookies.update(device)
        assert web.post("/api/session", json=body).status_code == 200
        # The device of another account helps nobody.
        other = {"name": "Mallory", "password": "12345678"}
        web.cookies.clear()
        assert web.post("/api/accounts", json=other).status_code == 201
        wrong = {"name": "Nina", "password": "12345678"}
        csrf = {"X-CSRF-Token": web.get("/api/me").json()["csrf"]}
        assert web.post("/api/session", json=wrong, headers=csrf).status_code == 429


# --- the low ones --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "email",
    [
        "a@[b",
        "a@b..c",
        ".a@b.c",
        "a@-b.c",
        "a@b.c.",
        "(x)a@b.c",
        "a@b@c",
        "a\u00e4@b.c",
        "a@",
        "@b",
    ],
)
def test_odd_addresses_are_refused_and_do_not_crash_the_mailer(email: str) -> None:
    with pytest.raises(Exception, match="not an e-mail address"):
        accounts.clean_email(email)
    config = Config("sqlite://", smtp_url="smtp://127.0.0.1:1", mail_from="s@example.org")
    with pytest.raises(NotSent):
        notices.send_mail(config, email, "Subject", "Text")


@pytest.mark.parametrize("email", ["a@b.example", "a.b+c@d-e.example", "o'neill@x.example"])
def test_usual_addresses_pass(email: str) -> None:
    assert accounts.clean_email(f" {email} ") == email


@pytest.mark.parametrize(
    "address",
    ["fec0::1", "192.0.0.1", "192.0.0.192", "64:ff9b:1::1", "127.0.0.1", "10.0.0.1", "fe80::1"],
)
def test_webhooks_go_to_the_public_network_only(address: str) -> None:
    assert not notices.is_public(address)


@pytest.mark.parametrize("header", ["X-Real-IP", "X-Forwarded-For", "Via", "Forwarded"])
def test_metrics_are_not_for_who_comes_through_a_proxy(header: str, database_url: str) -> None:
    with TestClient(create_app(Config(database_url)), client=("127.0.0.1", 5)) as web:
        assert web.get("/metrics").status_code == 200
        assert web.get("/metrics", headers={header: "192.0.2.7"}).status_code == 403
