"""Running the service: its own store unless one is named, then the workers.

The parent owns the data directory, the private server and the listening socket. One worker runs in
the parent itself; several are processes of their own, which end when the parent does, however it
ends. SIGTERM and Ctrl-C finish the requests under way, then stop the server.
"""

import asyncio
import gc
import logging
import multiprocessing
import os
import signal
import socket
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final
from urllib.error import HTTPError

from service import logs
from service.settings import (
    EXAMPLES,
    PREFIX,
    Settings,
    SettingsError,
    is_loopback,
    load_settings,
    signing_keys,
    unknown_names,
)
from service.store import DataDirectoryInUse, EmbeddedServer, MemoryStore, ServerFailed
from service.terminal import complain, show

if TYPE_CHECKING:
    from starlette.applications import Starlette

_log = logging.getLogger(__name__)

WRONG_USAGE: Final = 2
FAILED: Final = 1
_GRACE_SECONDS: Final = 10
_BACKLOG: Final = 2048
_FILES: Final = 65_536
_GC_OBJECTS: Final = 20_000  # new ones that start a collection
_POLL_SECONDS: Final = 0.3
_POLL_TIMEOUT_SECONDS: Final = 5.0
_SLOW_POLL_SECONDS: Final = 2.0
_REMINDER_SECONDS: Final = 60.0
_NAMES: Final = ("localhost", "127.0.0.1", "[::1]")  # of a service on loopback
_METRICS: Final = "PROMETHEUS_MULTIPROC_DIR"  # as its library calls it
_PROXIES: Final = "FORWARDED_ALLOW_IPS"  # as uvicorn calls it


def run(
    host: str = "127.0.0.1",
    port: int = 8000,
    workers: int = 1,
    data_dir: Path | None = None,
    redis_url: str | None = None,
) -> int:
    """Serve until told to stop; return the exit code: 0 stopped, 1 failed, 2 wrong usage."""
    signal.signal(signal.SIGTERM, _stop)
    try:
        with ExitStack() as stack:
            return _run(stack, host, port, workers, data_dir, redis_url)
    except KeyboardInterrupt:
        return 0
    except (SettingsError, DataDirectoryInUse) as error:
        return _refuse(str(error), WRONG_USAGE)
    except ServerFailed as error:
        return _refuse(str(error), FAILED)


def _run(
    stack: ExitStack,
    host: str,
    port: int,
    workers: int,
    data_dir: Path | None,
    redis_url: str | None,
) -> int:
    settings = load_settings(data_dir=data_dir, redis_url=redis_url)
    logs.configure(settings.log_level)
    for name in unknown_names(os.environ):
        _log.warning("%s is no setting of this service and is ignored", name)
    if not is_loopback(host) and not settings.signing_keys:
        raise SettingsError(
            f"{PREFIX}SIGNING_KEYS: has to be set before others can reach {host}; "
            f'for example {PREFIX}SIGNING_KEYS="$(openssl rand -hex 32)"'
        )
    if settings.redis_url is None and settings.durability == "replicated":
        raise SettingsError(
            f"{PREFIX}DURABILITY: replicated needs a store with a replica, and the service's own "
            f"has none: name one with {PREFIX}REDIS_URL, or take less; "
            f"for example {PREFIX}DURABILITY=always"
        )
    _allow_files()
    listener = stack.enter_context(_listen(host, port))
    if settings.redis_url is None:
        server = EmbeddedServer(
            settings.data_dir, "always" if settings.durability == "always" else "everysec"
        )
        failed: list[BaseException] = []
        starting = threading.Thread(target=_keep, args=(server.start, failed))
        starting.start()
        stack.callback(server.stop)
        _check_catalogue()  # its imports take as long as the server takes to start
        starting.join()
        if failed:
            raise _named(failed[0], settings.data_dir)
        url = server.url
    else:
        _check_catalogue()
        url = settings.redis_url.get_secret_value()
    try:
        signing_keys(settings)
    except OSError as error:
        raise _named(error, settings.data_dir) from None
    if workers > 1 and settings.trusted_documents is not None:
        asyncio.run(_check_documents(settings))
    # Workers of their own find here what was given on the command line.
    os.environ[f"{PREFIX}REDIS_URL"] = url
    os.environ[f"{PREFIX}DATA_DIR"] = str(settings.data_dir)
    if is_loopback(host) and "rate_limit" not in settings.model_fields_set:
        os.environ[f"{PREFIX}RATE_LIMIT"] = "off"
    if is_loopback(host) and not settings.hosts:
        own = f"[{host}]" if ":" in host else host
        os.environ[f"{PREFIX}HOSTS"] = ",".join({*_NAMES, own})
    graphiql = is_loopback(host) if settings.graphiql is None else settings.graphiql
    os.environ[f"{PREFIX}GRAPHIQL"] = str(graphiql).lower()
    threading.Thread(target=_announce, args=(listener, graphiql, url), daemon=True).start()
    _serve(stack, listener, workers)
    return 0


def _serve(stack: ExitStack, listener: socket.socket, workers: int) -> None:
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    from service import connections

    config = connections.config(
        "service.serve:worker",
        factory=True,
        workers=workers,
        # Behind a proxy the address of a client is in a header, which counts only from proxies that
        # are named.
        proxy_headers=_PROXIES in os.environ,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        backlog=_BACKLOG,
    )
    if workers > 1:
        # Workers add up what they count; they read this before they import anything of it.
        os.environ[_METRICS] = stack.enter_context(tempfile.TemporaryDirectory(prefix="stele-"))
    if workers == 1:
        uvicorn.Server(config).run(sockets=[listener])
    else:
        Multiprocess(config, sockets=[listener]).run()


def worker() -> "Starlette":
    """Return the application of one worker, from the environment alone."""
    from service.app import create_app

    settings = load_settings()
    parent = multiprocessing.parent_process()
    if parent is not None:
        logs.configure(settings.log_level)
        threading.Thread(target=_follow, args=(parent.join,), daemon=True).start()
    app = create_app(settings)
    # What is there now stays; and folded matches are no cycles that a collection would find.
    gc.collect()
    gc.freeze()
    gc.set_threshold(_GC_OBJECTS, 20, 100)
    return app


def _follow(parent_ends: Callable[[], None]) -> None:
    """End with the parent: without it there is no store, and the port must be free."""
    parent_ends()
    os.kill(os.getpid(), signal.SIGTERM)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # By name of TCP, for else asyncio has small answers wait for the last ACK.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise SettingsError(
            f"cannot listen on {host}:{port} ({error.strerror}); give another --host or --port"
        ) from None
    listener.set_inheritable(True)
    return listener


def _allow_files() -> None:
    """Let this process and its workers have as many sockets open as the system lets them."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft < wanted:
        with suppress(ValueError, OSError):  # the system has a lower limit that it does not tell
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _check_catalogue() -> None:
    import service.app  # noqa: F401
    from service import catalogue

    try:
        catalogue.load()
    except catalogue.CatalogueInvalid as error:
        raise SettingsError(str(error)) from None


async def _check_documents(settings: Settings) -> None:
    """Find out what workers would refuse, who would say so again and again and not end."""
    from service.app import create_app

    create_app(settings, MemoryStore())


def _keep(start: Callable[[], None], failed: list[BaseException]) -> None:
    try:
        start()
    except BaseException as error:
        failed.append(error)


def _named(error: BaseException, data_dir: Path) -> BaseException:
    """Return the error, by the name of the setting where it comes from the data directory."""
    place = data_dir.absolute()
    if isinstance(error, OSError) and error.filename is not None:
        path = Path(os.fsdecode(error.filename))
        if path == place or path in place.parents or place in path.parents:
            return SettingsError(
                f"{PREFIX}DATA_DIR or --data-dir: {data_dir} cannot be used "
                f"({path}: {error.strerror}); name a directory that can be written, "
                f"for example {PREFIX}DATA_DIR={EXAMPLES['data_dir']}"
            )
    return error


def _announce(listener: socket.socket, graphiql: bool, url: str) -> None:
    """Print the addresses once they answer."""
    host, port = listener.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    base = f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"
    _wait(f"{base}/readyz", url)
    in_browser = " (GraphiQL in a browser)" if graphiql else ""
    show(
        f"Stele is ready.\n  REST     {base}/v1\n  GraphQL  {base}/graphql{in_browser}\n"
        f"  Docs     {base}/docs\n  OpenAPI  {base}/openapi.json\n"
    )


def _wait(readiness: str, url: str) -> None:
    """Return when the service is ready; say at once, and now and then, that the store is not."""
    request = urllib.request.Request(readiness, headers={"User-Agent": logs.OWN})
    say_at = 0.0
    while True:
        try:
            with urllib.request.urlopen(request, timeout=_POLL_TIMEOUT_SECONDS):
                return
        except HTTPError:
            if time.monotonic() >= say_at:
                complain(
                    f"the store at {_without_secrets(url)} does not answer; waiting for it: "
                    f"start it, or name another with --redis-url or {PREFIX}REDIS_URL",
                )
                say_at = time.monotonic() + _REMINDER_SECONDS
            time.sleep(_SLOW_POLL_SECONDS)
        except OSError:
            time.sleep(_POLL_SECONDS)


def _without_secrets(url: str) -> str:
    """Return the URL of a store without user, password and query."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('?')[0].rpartition('@')[2]}"


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _refuse(message: str, code: int) -> int:
    for line in message.splitlines():
        complain(line)
    return code
