"""News between processes, over a real PostgreSQL."""

from __future__ import annotations

import asyncio
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.orm import Session

from sandtable.server.live import CHANNEL, Live, News
from tests.server.network import SECONDS
from tests.server.postgres import Postgres


class Ear:
    """A process that remembers what it heard."""

    def __init__(self, url: str) -> None:
        self.news: asyncio.Queue[News] = asyncio.Queue()
        self.gaps: asyncio.Queue[None] = asyncio.Queue()
        self.live = Live(url)
        self.live.call(self.news.put, self._missed)

    async def _missed(self) -> None:
        await self.gaps.put(None)

    async def next(self) -> News:
        return await asyncio.wait_for(self.news.get(), SECONDS)


def test_what_is_committed_is_heard_by_the_others_only(postgres: Postgres) -> None:
    async def scene(url: str) -> None:
        one, two = Ear(url), Ear(url)
        await one.live.start()
        await two.live.start()
        with Session(create_engine(url)) as session:
            one.live.tell(session, News("moved", "lost", version=1))
            session.rollback()
            one.live.tell(session, News("moved", "g", version=7))
            one.live.tell(session, News("presence", "g", seats=(0, 2), spectators=3))
            session.commit()
            two.live.tell(session, News("chat", "g", number=5))
            session.commit()
        process = one.live.process
        assert await two.next() == News("moved", "g", version=7, process=process)
        presence = News("presence", "g", seats=(0, 2), spectators=3, process=process)
        assert await two.next() == presence
        assert (await one.next()).what == "chat"
        assert one.news.empty()
        await one.live.stop()
        await two.live.stop()

    with postgres.database() as url:
        asyncio.run(scene(url))


def test_after_a_restart_of_the_database_it_says_that_something_may_be_missed(
    postgres: Postgres,
) -> None:
    async def scene(url: str) -> None:
        one = Ear(url)
        await one.live.start()
        await asyncio.to_thread(postgres.restart)
        await asyncio.wait_for(one.gaps.get(), SECONDS)
        with Session(create_engine(url)) as session:
            Live(url).tell(session, News("info", "g"))
            session.commit()
        assert (await one.next()).game == "g"
        await one.live.stop()

    with postgres.database() as url:
        asyncio.run(scene(url))


def test_news_that_make_no_sense_are_passed_over(postgres: Postgres) -> None:
    async def scene(url: str) -> None:
        one = Ear(url)
        await one.live.start()
        with Session(create_engine(url)) as session:
            for content in ("", "{", '{"what": 3}', '{"game": "g"}'):
                session.execute(text("SELECT pg_notify(:c, :p)"), {"c": CHANNEL, "p": content})
            Live(url).tell(session, News("info", "g"))
            session.commit()
        assert (await one.next()).what == "info"
        await one.live.stop()

    with postgres.database() as url:
        asyncio.run(scene(url))


def test_a_process_that_says_nothing_any_more_is_found_once(postgres: Postgres) -> None:
    async def scene(url: str) -> None:
        one, two = Ear(url), Live(url)
        await one.live.start()
        with Session(create_engine(url)) as session:
            two.tell(session, News("presence", "g"))
            session.commit()
        await one.next()
        assert one.live.silent(60) == []
        assert one.live.silent(-1) == [two.process]
        assert one.live.silent(-1) == []
        await one.live.stop()

    with postgres.database() as url:
        asyncio.run(scene(url))


def test_a_game_that_takes_long_does_not_hold_up_the_others(postgres: Postgres) -> None:
    async def scene(url: str) -> None:
        one, two = Live(url), Live(url)
        slow = asyncio.Event()
        heard: list[tuple[str, int]] = []

        async def handle(news: News) -> None:
            if news.version == 1 and news.game == "slow":
                await slow.wait()
            heard.append((news.game, news.version))

        one.call(handle, slow.wait)  # type: ignore[arg-type]
        await one.start()
        with Session(create_engine(url)) as session:
            for version in (1, 2):
                for game in ("slow", "other"):
                    two.tell(session, News("moved", game, version=version))
            session.commit()
        async with asyncio.timeout(SECONDS):
            while len(heard) < 2:
                await asyncio.sleep(0.01)
        assert heard == [("other", 1), ("other", 2)]
        slow.set()
        async with asyncio.timeout(SECONDS):
            while len(heard) < 4:
                await asyncio.sleep(0.01)
        assert heard[2:] == [("slow", 1), ("slow", 2)]
        await one.stop()

    with postgres.database() as url:
        asyncio.run(scene(url))


def test_with_sqlite_there_is_nobody_to_tell(tmp_path: Path) -> None:
    async def scene(url: str) -> None:
        one = Ear(url)
        await one.live.start()
        with Session(create_engine(url)) as session:
            one.live.tell(session, News("info", "g"))
        assert not one.live.several
        await one.live.stop()

    asyncio.run(scene(f"sqlite:///{tmp_path}/x.db"))
