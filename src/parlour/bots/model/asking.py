"""Asking a model: a program, or an address. Whatever comes back is bounded, in size and in time, and never trusted."""

from __future__ import annotations

import asyncio
import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import IO, Any, NoReturn, Protocol, TypeVar, cast

from parlour.bots.faults import CRASHED, OUTPUT, TIMEOUT, BotFault
from parlour.bots.model.settings import ModelSettings
from parlour.engine.extras import explain
from parlour.engine.foreign_json import read_json
from parlour.engine.printable import one_line

LARGEST = 1 << 20  # bytes of an answer, with all that an address wraps it in
KEPT_ERRORS = 2000  # bytes of standard error, from its end
PART = 1 << 16
PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)  # seconds before it is tried again, where an address is away
LATER = {408, 409, 425, 429, *range(500, 600)}  # it may work another time
PIPES: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
LETTERS = 4  # characters of a token, roughly, where nobody counts them

T = TypeVar("T")


@dataclass(frozen=True)
class Said:
    """One message of the conversation: of the ``system``, the ``user`` or the ``assistant``."""

    role: str
    text: str

    def to_json(self) -> dict[str, str]:
        return {"role": self.role, "content": self.text}


@dataclass(frozen=True)
class Reply:
    """What the model says; how many tokens that took, or as many as that may be if ``guessed``."""

    text: str
    tokens_in: int
    tokens_out: int
    guessed: bool


class Away(Exception):
    """There is no answer now; there may be one later. What it says is for people."""


class Asker(Protocol):
    """A model that can be asked. BotFault: it cannot be used any more, or it takes too long or says too much."""

    def ask(self, messages: Sequence[Said], deadline: float) -> Reply: ...


def asker(settings: ModelSettings) -> Asker:
    return Address(settings) if settings.address else Program(settings)


class _Patient:
    """What both have in common: they are tried again until the time is over."""

    tries = 1000  # after which it counts as a crash: an address may come back

    def ask(self, messages: Sequence[Said], deadline: float) -> Reply:
        """The reply, by ``time.monotonic()``."""
        trouble = "it did not answer in time"
        for number in range(1, self.tries + 1):
            left = deadline - time.monotonic()
            if left <= 0:
                break
            try:
                return self._once(messages, left)
            except TimeoutError:
                break
            except Away as error:
                trouble = str(error)
            if number == self.tries:
                raise BotFault(CRASHED, trouble)
            pause = PAUSES[min(number, len(PAUSES)) - 1]
            time.sleep(max(0.0, min(pause, deadline - time.monotonic())))
        raise BotFault(TIMEOUT, trouble)

    def _once(self, messages: Sequence[Said], seconds: float) -> Reply:
        raise NotImplementedError


class Program(_Patient):
    """A command of yours, started anew for every question. It is not in a box: what it needs is often elsewhere."""

    tries = 2

    def __init__(self, settings: ModelSettings) -> None:
        self._words = settings.words

    def _once(self, messages: Sequence[Said], seconds: float) -> Reply:
        prompt = as_one_text(messages)
        try:
            process = subprocess.Popen(self._words, start_new_session=True, **PIPES)
        except (OSError, ValueError) as error:
            raise BotFault(CRASHED, f"it cannot be started: {error}") from None
        try:
            said, errors = _converse(process, prompt.encode("utf-8", "replace"), time.monotonic() + seconds)
            code = process.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            raise TimeoutError from None
        finally:
            _end(process)
        if code:
            why = one_line(errors[-KEPT_ERRORS:].decode("utf-8", "replace"), 200)
            raise Away(f"it ended with exit code {code}{f': {why}' if why else ''}")
        text = said.decode("utf-8", "replace")
        return Reply(text, len(prompt) // LETTERS, len(text) // LETTERS, guessed=True)


def as_one_text(messages: Sequence[Said]) -> str:
    """The conversation for a program that reads a text."""
    answered = "You answered:\n"
    return "\n\n".join(f"{answered if each.role == 'assistant' else ''}{each.text}" for each in messages) + "\n"


def _converse(process: subprocess.Popen[bytes], prompt: bytes, deadline: float) -> tuple[bytes, bytes]:
    """Give it the prompt while it reads; what it has written, in the end, to standard output and to standard error."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    said: dict[Any, bytes] = {process.stdout: b"", process.stderr: b""}
    for pipe in (process.stdin, *said):
        os.set_blocking(pipe.fileno(), False)
    with selectors.DefaultSelector() as waiting:
        waiting.register(process.stdin, selectors.EVENT_WRITE)
        for pipe in said:
            waiting.register(pipe, selectors.EVENT_READ)
        speaking = set(said)
        while speaking:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            for key, _ in waiting.select(left):
                if key.fileobj is process.stdin:
                    prompt = _given(process.stdin, prompt)
                    is_done = not prompt
                else:
                    is_done = not _taken(said, key.fileobj)
                if is_done:
                    waiting.unregister(key.fileobj)
                    speaking.discard(key.fileobj)
                    cast("IO[bytes]", key.fileobj).close()
    return said[process.stdout], said[process.stderr]


def _given(pipe: IO[bytes], prompt: bytes) -> bytes:
    """What is left of the prompt; nothing where it reads no more."""
    try:
        return prompt[os.write(pipe.fileno(), prompt) :]
    except BlockingIOError:
        return prompt
    except OSError:
        return b""


def _taken(said: dict[Any, bytes], pipe: Any) -> bytes:
    """What there was to read; nothing at the end."""
    part = os.read(pipe.fileno(), PART)
    said[pipe] += part
    if len(said[pipe]) > LARGEST:
        _too_much()
    return part


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it, and all that it has started in its session."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    process.wait()


class Address(_Patient):
    """An address that takes chat completions as OpenAI's does, and many others do."""

    def __init__(self, settings: ModelSettings) -> None:
        try:
            import httpx
        except ModuleNotFoundError as error:
            raise explain(error) from error
        self._httpx = httpx
        self._settings = settings
        self._url = f"{settings.address.rstrip('/')}/chat/completions"

    def _once(self, messages: Sequence[Said], seconds: float) -> Reply:
        return run(self._fetch(messages, seconds))

    async def _fetch(self, messages: Sequence[Said], seconds: float) -> Reply:
        settings = self._settings
        headers = {"authorization": f"Bearer {settings.secret}"} if settings.secret else {}
        headers |= {"accept-encoding": "identity"}
        body = {**settings.extra, "messages": [each.to_json() for each in messages]}
        body |= {"model": settings.model} if settings.model else {}
        asked: dict[str, Any] = {"json": body, "headers": headers}
        try:
            async with (
                asyncio.timeout(seconds),
                self._httpx.AsyncClient(timeout=None) as web,
                web.stream("POST", self._url, **asked) as response,
            ):
                content = await _whole(response)
        except (self._httpx.HTTPError, self._httpx.InvalidURL) as error:
            raise Away(f"{settings.address} does not answer ({type(error).__name__})") from None
        _check_status(settings.address, response.status_code, content)
        return _reply(messages, content)


async def _whole(response: Any) -> bytes:
    content = b""
    async for part in response.aiter_raw():
        content += part
        if len(content) > LARGEST:
            _too_much()
    return content


def _check_status(address: str, status: int, content: bytes) -> None:
    if 200 <= status < 300:
        return
    said = one_line(content[:1000].decode("utf-8", "replace"), 160)
    if status in LATER:
        raise Away(f"{address} answers with HTTP {status}: {said}")
    raise BotFault(CRASHED, f"{address} refuses, with HTTP {status}: {said}")


def _reply(messages: Sequence[Said], content: bytes) -> Reply:
    """What the model says, out of all that the address says; where that makes no sense, it is the answer itself."""
    try:
        found = read_json(content)
        text = found["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError):
        found, text = {}, content.decode("utf-8", "replace")
    if isinstance(text, list):
        text = "".join(str(part.get("text", "")) for part in text if isinstance(part, dict))
    if not isinstance(text, str):
        text = ""  # it has nothing to say
    usage = found.get("usage")
    told_in, told_out = (_count(usage, name) for name in ("prompt_tokens", "completion_tokens"))
    if told_in is not None and told_out is not None:
        return Reply(text, told_in, told_out, guessed=False)
    given = sum(len(each.text) for each in messages)
    return Reply(text, given // LETTERS, len(text) // LETTERS, guessed=True)


def _count(usage: object, name: str) -> int | None:
    """What the address says of its tokens, if that can be."""
    told = usage.get(name) if isinstance(usage, dict) else None
    return told if isinstance(told, int) and not isinstance(told, bool) and 0 <= told < 10**9 else None


def _too_much() -> NoReturn:
    raise BotFault(OUTPUT, f"it said more than {LARGEST >> 10} KiB where a few lines are the answer")


def run(work: Coroutine[Any, Any, T]) -> T:
    """What comes of it: here, or, where an event loop runs already, in a thread beside it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
