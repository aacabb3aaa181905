"""Stands between a client and a server, and hurts their connections as long as it is told to."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from dataclasses import dataclass

from engines.process import HOST, free_port

CHUNK_BYTES = 64 * 1024


@dataclass(frozen=True)
class Pass:
    """Hands everything on."""


@dataclass(frozen=True)
class Delay:
    """Waits before it hands on each piece, of 64 KB at most, in both directions."""

    seconds: float


@dataclass(frozen=True)
class Hang:
    """Takes connections and what they say, and hands nothing on until the mode changes."""


@dataclass(frozen=True)
class Refuse:
    """Resets connections, new ones and those that say something."""


@dataclass(frozen=True)
class Cut:
    """Resets a connection in the middle: after so many bytes of what the client sends, or of what the server answers. Headers
    count too; each connection counts from the moment when the mode was set."""

    after_sent: int | None = None
    after_answered: int | None = None


@dataclass(frozen=True)
class Answer:
    """Answers each HTTP request itself and closes the connection; the server never hears of the request. Of a request that is
    under way, the server has heard a part."""

    status: int = 500
    body: bytes = b"made up by the tests"


Mode = Pass | Delay | Hang | Refuse | Cut | Answer


class FaultProxy:
    """Listens on `port` and connects to `upstream`, a port of this machine. `mode` may be set by any thread at any time, and
    holds for open connections too. A thread of its own does the work. Use it in a `with` statement."""

    def __init__(self, upstream: int, port: int | None = None) -> None:
        self.upstream, self.port = upstream, port or free_port()
        self.mode: Mode = Pass()
        # How many connections it took.
        self.connections = 0
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task] = set()
        self._server: asyncio.Server | None = None
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def start(self) -> None:
        self._thread.start()
        self._run(self._listen())

    def stop(self) -> None:
        """Closes all connections."""
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def reset_connections(self) -> None:
        """Resets the open connections; new ones are as `mode` says."""
        self._run(self._cancel())

    def __enter__(self) -> FaultProxy:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _run(self, work) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result()

    # --- on the thread of its own ----------------------------------------------------------------

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._take, HOST, self.port)

    async def _close(self) -> None:
        self._server.close()
        await self._cancel()

    async def _cancel(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        self._tasks.add(task)
        self.connections += 1
        writers = [writer]
        try:
            if isinstance(self.mode, Refuse):
                return
            with contextlib.suppress(OSError):
                server_reader, server_writer = await asyncio.open_connection(HOST, self.upstream)
                writers.append(server_writer)
                await self._carry(reader, writer, server_reader, server_writer)
        except asyncio.CancelledError:
            # Of this class alone; a task that ends as cancelled would be logged.
            pass
        finally:
            self._tasks.discard(task)
            for one in writers:
                reset(one)

    async def _carry(self, reader, writer, server_reader, server_writer) -> None:
        """Until both sides said that they send no more, or a fault ends it."""
        sending = asyncio.create_task(self._pump(reader, server_writer, writer, "after_sent"))
        answering = asyncio.create_task(self._pump(server_reader, writer, None, "after_answered"))
        try:
            waiting = {sending, answering}
            while waiting:
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                if not all(one.exception() is None and one.result() for one in done):
                    return
        finally:
            for one in (sending, answering):
                one.cancel()
            await asyncio.gather(sending, answering, return_exceptions=True)
        for one in (writer, server_writer):
            one.close()

    async def _pump(self, source, sink, client, limit: str) -> bool:
        """Hands on in one direction. Whether the connection may live on in the other."""
        mode, passed = self.mode, 0
        while data := await source.read(CHUNK_BYTES):
            while isinstance(self.mode, Hang):
                # Nobody waits for this; it looks again until the mode changes.
                await asyncio.sleep(0.01)
            if self.mode is not mode:
                mode, passed = self.mode, 0
            if isinstance(mode, Delay):
                await asyncio.sleep(mode.seconds)
            elif isinstance(mode, Refuse):
                return False
            elif isinstance(mode, Answer) and client is not None:
                await self._answer(mode, source, client)
                return False
            elif isinstance(mode, Cut) and (most := getattr(mode, limit)) is not None and passed + len(data) >= most:
                sink.write(data[:most - passed])
                await sink.drain()
                return False
            passed += len(data)
            sink.write(data)
            await sink.drain()
        sink.write_eof()
        return True

    @staticmethod
    async def _answer(mode: Answer, source, client) -> None:
        head = f"HTTP/1.1 {mode.status} Fault\r\nContent-Length: {len(mode.body)}\r\nConnection: close\r\n\r\n"
        client.write(head.encode() + mode.body)
        await client.drain()
        client.write_eof()
        # A reset while the client still sends would take the answer away from it.
        while await source.read(CHUNK_BYTES):
            pass


def reset(writer: asyncio.StreamWriter) -> None:
    """Ends a connection without a farewell, unless it was closed already."""
    if writer.transport.is_closing():
        return
    connection = writer.get_extra_info("socket")
    with contextlib.suppress(OSError):
        # Closing with a linger of zero sends a reset.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    writer.transport.abort()
