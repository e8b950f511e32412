"""One person's slow push service delays nobody else's messages."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from parlour.server.basics import metrics
from parlour.server.basics.background import Background
from parlour.server.push import lines
from parlour.server.push.lines import HOSTS, TRIES, WAITING, WAITING_IN_VAIN, Lines, Needless, Send
from pushing import Browser, PushService
from serving import Build, House, Seat, refused, until

DAY = {"kind": "turn", "seconds": 86400}


class Hosts:
    """Push services that only note what they are sent. Those that begin with ``silent`` never answer."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.under_way = 0
        self.most = 0

    def send(self, host: str, answer: float | Exception | None = None) -> Send:
        async def sending() -> float | None:
            self.sent.append(host)
            self.under_way += 1
            self.most = max(self.most, self.under_way)
            try:
                await asyncio.sleep(3600 if host.startswith("silent") else 0.001)
            finally:
                self.under_way -= 1
            if isinstance(answer, Exception):
                raise answer
            return answer

        return sending


def run(work: Callable[[Lines, Hosts], Awaitable[None]]) -> None:
    async def running() -> None:
        background, hosts = Background(), Hosts()
        try:
            async with asyncio.timeout(30):
                await work(Lines(background), hosts)
        finally:
            await background.close()

    asyncio.run(running())


async def holds(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.002)


def outcomes(outcome: str) -> float:
    return float(metrics.PUSHES.labels(outcome)._value.get())


@pytest.fixture
def counted() -> Callable[[str], float]:
    """How many messages have had this outcome since the test began."""
    before = {outcome: outcomes(outcome) for outcome in ("dropped", "failed")}
    return lambda outcome: outcomes(outcome) - before[outcome]


@pytest.fixture
def unanswered(monkeypatch: pytest.MonkeyPatch) -> OSError:
    """What is raised where a host does not answer; then it rests, but not for long."""
    monkeypatch.setattr(lines, "RESTS", (0.01, 0.01, 0.01))
    return OSError("it does not answer")


def test_silent_hosts_delay_no_other() -> None:
    async def work(all_lines: Lines, hosts: Hosts) -> None:
        for number in range(HOSTS // 2):
            for about in range(WAITING):
                all_lines.put(f"silent{number}", about, hosts.send(f"silent{number}"))
        all_lines.put("known", "first", hosts.send("known"))
        await holds(lambda: hosts.under_way == lines.AT_ONCE["new"])
        assert "known" not in hosts.sent, "nobody knows yet that this one answers"

    run(work)


def test_a_host_that_answers_is_served_whatever_others_do() -> None:
    async def work(all_lines: Lines, hosts: Hosts) -> None:
        all_lines.put("swift", "first", hosts.send("swift"))
        await holds(lambda: hosts.sent == ["swift"] and not hosts.under_way)
        for number in range(2 * HOSTS):
            all_lines.put(f"silent{number}", 0, hosts.send(f"silent{number}"))
        for about in range(WAITING):
            all_lines.put("swift", about, hosts.send("swift"))
        await holds(lambda: hosts.sent.count("swift") == WAITING + 1)

    run(work)


def test_a_new_host_gets_one_message_at_a_time_and_a_swift_one_several() -> None:
    async def work(all_lines: Lines, hosts: Hosts) -> None:
        for about in range(100):
            all_lines.put("silent", about, hosts.send("silent"))
        await asyncio.sleep(0.01)
        assert hosts.most == 1
        for about in range(100):
            all_lines.put("swift", about, hosts.send("swift"))
        await holds(lambda: hosts.sent.count("swift") == 100)
        assert hosts.most == 1 + lines.AT_ONCE_OF_HOST

    run(work)


def test_a_host_that_answers_slowly_is_no_better_than_a_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "SLOW", 0.0)

    async def work(all_lines: Lines, hosts: Hosts) -> None:
        for about in range(20):
            all_lines.put("slow", about, hosts.send("slow"))
        await holds(lambda: len(hosts.sent) == 20)
        assert hosts.most == 1

    run(work)


def test_a_newer_message_about_the_same_takes_the_place_of_the_older() -> None:
    async def work(all_lines: Lines, hosts: Hosts) -> None:
        for turn in range(10):
            all_lines.put("silent", "first", hosts.send("silent"))
            all_lines.put("swift", "table", hosts.send(f"turn {turn}"))
        await holds(lambda: len(hosts.sent) == 2)
        await asyncio.sleep(0.02)
        assert sorted(hosts.sent) == ["silent", "turn 9"]

    run(work)


def test_what_finds_no_room_is_counted(counted: Callable[[str], float]) -> None:
    async def work(all_lines: Lines, hosts: Hosts) -> None:
        for about in range(WAITING + 10):
            all_lines.put("silent", about, hosts.send("silent"))
        assert counted("dropped") == 10

    run(work)


def test_a_host_that_does_not_answer_rests_and_keeps_little(
    counted: Callable[[str], float], unanswered: OSError
) -> None:
    async def work(all_lines: Lines, hosts: Hosts) -> None:
        for about in range(WAITING):
            all_lines.put("gone", about, hosts.send("gone", unanswered))
        await holds(lambda: counted("dropped") + counted("failed") == WAITING)
        assert counted("dropped") >= WAITING - WAITING_IN_VAIN
        assert len(hosts.sent) <= TRIES * (WAITING_IN_VAIN + 1)
        assert hosts.most == 1

    run(work)


def test_many_silent_hosts_share_a_few_places(unanswered: OSError) -> None:
    async def work(all_lines: Lines, hosts: Hosts) -> None:
        for number in range(50):
            all_lines.put(f"gone{number}", 0, hosts.send(f"gone{number}", unanswered))
        await holds(lambda: len(hosts.sent) >= 50)
        hosts.most = 0
        await holds(lambda: len(hosts.sent) == 50 * TRIES)
        assert hosts.most <= lines.AT_ONCE["silent"] + 1  # one may still have been on its way

    run(work)


def test_a_host_that_answers_again_is_as_good_as_before(unanswered: OSError) -> None:
    async def work(all_lines: Lines, hosts: Hosts) -> None:
        all_lines.put("host", 0, hosts.send("host"))
        all_lines.put("host", 1, hosts.send("host", unanswered))
        await holds(lambda: len(hosts.sent) == 1 + TRIES)
        for about in range(WAITING_IN_VAIN):
            all_lines.put("host", about, hosts.send("host"))
        await holds(lambda: len(hosts.sent) == 1 + TRIES + WAITING_IN_VAIN)
        assert hosts.most == lines.AT_ONCE_OF_HOST

    run(work)


def test_where_there_are_too_many_hosts_a_silent_one_makes_way(unanswered: OSError) -> None:
    async def work(all_lines: Lines, hosts: Hosts) -> None:
        for number in range(HOSTS - 1):
            all_lines.put(f"swift{number}", 0, hosts.send("swift"))
        all_lines.put("gone", 0, hosts.send("gone", unanswered))
        await holds(lambda: all_lines._lines["gone"].misses > 0 and hosts.sent.count("swift") == HOSTS - 1)
        all_lines.put("one more", 0, hosts.send("one more"))
        assert "gone" not in all_lines._lines
        await holds(lambda: "one more" in hosts.sent)
        all_lines.put("another", 0, hosts.send("another"))
        await holds(lambda: "another" in hosts.sent)

    run(work)


def test_what_a_host_puts_off_again_and_again_is_kept_once(counted: Callable[[str], float]) -> None:
    """However many turns there are until then, and however long it wants the server to wait."""

    async def work(all_lines: Lines, hosts: Hosts) -> None:
        for turn in range(20):
            all_lines.put("host", "table", hosts.send("host", 3600.0))
            while len(hosts.sent) <= turn or hosts.under_way:
                await asyncio.sleep(0.002)
        for about in range(WAITING):
            all_lines.put("host", about, hosts.send("host", 3600.0))
        await holds(lambda: len(all_lines._lines["host"].later) == WAITING)
        assert (len(hosts.sent), counted("dropped")) == (20 + WAITING - 1, 1)

    run(work)


def test_a_host_that_was_not_asked_has_not_answered() -> None:
    async def work(all_lines: Lines, hosts: Hosts) -> None:
        for about in range(20):
            all_lines.put("host", about, hosts.send("host", Needless()))
        await holds(lambda: len(hosts.sent) == 20)
        assert (hosts.most, all_lines._lines["host"].answers) == (1, False)

    run(work)


def test_a_message_that_cannot_be_made_harms_no_other(counted: Callable[[str], float]) -> None:
    async def work(all_lines: Lines, hosts: Hosts) -> None:
        all_lines.put("host", 0, hosts.send("host", RuntimeError("a bug")))
        all_lines.put("host", 1, hosts.send("host"))
        await holds(lambda: len(hosts.sent) == 2)
        assert counted("failed") == 1

    run(work)


# The same through a server.


@pytest.fixture
def services() -> Iterator[tuple[PushService, PushService]]:
    silent, swift = PushService(), PushService()
    yield silent, swift
    for service in (silent, swift):
        service.close()


def is_told(seats: list[Seat], *browsers: Browser) -> None:
    """The first seat goes away, and is told by these browsers when the second has played."""
    away, other = seats
    for browser in browsers:
        answer = subscribe(away, browser)
        assert answer.json() == {"on": True}, answer.text
    away.must("act", ply=0, action=3)
    with away.live():
        pass
    until(lambda: not away.at.view(away.table)["seats"][away.number]["here"])
    other.must("act", ply=1, action=3)


def subscribe(seat: Seat, browser: Browser) -> Any:
    headers = {"authorization": f"Bearer {seat.token}"}
    return seat.at.http.post(f"/api/tables/{seat.table}/push", json=browser.subscription, headers=headers)


def test_one_persons_silent_push_service_delays_nobody_elses(
    build: Build, services: tuple[PushService, PushService]
) -> None:
    silent, swift = services
    silent.is_open.clear()
    house = build(push_endpoints=[silent.url, swift.url])
    for _ in range(2):
        is_told(house.table_of("Mallory", "Bob", clock=DAY), *(Browser(silent) for _ in range(4)))
    until(lambda: silent.got)
    browser = Browser(swift)
    is_told(house.table_of("Ann", "Bob", clock=DAY), browser)
    until(lambda: browser.read, 5)
    assert len(silent.got) == 1, "who has never answered is sent one at a time"


def test_an_address_has_only_so_many_browsers_notified_at_once(house: House) -> None:
    seats = [house.table_of("Ann", "Bob", clock=DAY)[0] for _ in range(5)]
    service = PushService()
    answers = [subscribe(seat, Browser(service)) for seat in seats for _ in range(5)]
    assert {answer.status_code for answer in answers[:20]} == {400}, "this service is not public"
    refused(answers[20], "too_fast", 429, "too many subscriptions")
    service.close()
