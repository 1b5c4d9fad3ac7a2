"""The deployment of docs/guides/table.md: nginx with TLS in front of `doyle serve`, as the page configures it.

The visitor's address is the one that nginx sees; loopback has many, so that several visitors can be told
apart: 127.0.0.1 is the proxy, the others are visitors.
"""

from __future__ import annotations

import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.apps.web.live import Live, served
from tests.browser.conftest import PROXIED_HOST
from tests.browser.test_table import finish_hand, wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "table.md"
WRONG_TOKENS = 20
"""As many as `RateLimits` allows at once."""


def nginx() -> str | None:
    """The proxy: DOYLE_NGINX, or one that is installed; Debian has it where only root looks."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
    return os.environ.get("DOYLE_NGINX") or shutil.which("nginx", path=path)


@dataclass(frozen=True)
class Deployment:
    """`doyle serve`, and the port of the proxy before it."""

    server: Live
    port: int

    @property
    def address(self) -> str:
        return f"https://{PROXIED_HOST}:{self.port}"

    def status(self, visitor: str, *, host: str = PROXIED_HOST, **headers: str) -> int:
        """Of a request through the proxy from an address of a visitor."""
        unchecked = ssl._create_unverified_context()
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self.port, timeout=60, source_address=(visitor, 0), context=unchecked
        )
        return asked(connection, {"Host": f"{host}:{self.port}", **headers})

    def status_without_proxy(self, visitor: str, **headers: str) -> int:
        """Of a request straight to the server."""
        port = int(self.server.address.rpartition(":")[2])
        connection = http.client.HTTPConnection(
            "127.0.0.1", port, timeout=60, source_address=(visitor, 0)
        )
        return asked(connection, headers)


def asked(connection: http.client.HTTPConnection, headers: dict[str, str]) -> int:
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.request("GET", "/api/tables", headers=headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    program = nginx()
    if program is None or shutil.which("openssl") is None:
        pytest.skip(
            "no nginx or openssl; on Debian and Ubuntu: apt-get install nginx-light openssl"
        )
    folder = tmp_path_factory.mktemp("proxy")
    options = ("--trusted-proxy", "127.0.0.1", "--allowed-host", PROXIED_HOST, "--pace", "0.15")
    assert " ".join(options[:3]) in PAGE.read_text(encoding="utf-8")
    with served(folder, *options) as live:
        port = free_port()
        configuration = folder / "nginx.conf"
        configuration.write_text(configured(folder, port=port, server=live.address))
        make_certificate(folder)
        errors = (folder / "said.log").open("w")
        command = [program, "-p", str(folder), "-c", str(configuration), "-e", "error.log"]
        process = subprocess.Popen(command, stdout=errors, stderr=errors)
        try:
            wait_until_open(port, process, folder)
            yield Deployment(live, port)
        finally:
            process.terminate()
            process.wait(20)
            errors.close()


def configured(folder: Path, *, port: int, server: str) -> str:
    """The configuration of the page, with files and ports of this test only."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.search(r"```nginx\n(.*?)```", text, re.DOTALL)
    assert found is not None
    block = found[1]
    for documented, ours in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/ssl/table.example.pem", str(folder / "certificate.pem")),
        ("/etc/ssl/table.example.key", str(folder / "key.pem")),
        ("/var/log/nginx/doyle.log", str(folder / "access.log")),
        ("http://127.0.0.1:8080", server),
    ):
        assert block.count(documented) == 1
        block = block.replace(documented, ours)
    places = "".join(
        f"{kind}_temp_path {folder / kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;\n" if os.geteuid() == 0 else ""
    return f"{user}daemon off;\npid {folder / 'pid'};\nevents {{}}\nhttp {{\n{places}{block}}}\n"


def make_certificate(folder: Path) -> None:
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
            f"/CN={PROXIED_HOST}", "-addext", f"subjectAltName=DNS:{PROXIED_HOST}",
            "-keyout", "key.pem", "-out", "certificate.pem",
        ],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


def wait_until_open(port: int, process: subprocess.Popen[bytes], folder: Path) -> None:
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=10).close()
            return
        except OSError:
            assert process.poll() is None, (folder / "said.log").read_text()
            time.sleep(0.1)
    raise AssertionError("nginx did not start")


def test_a_hand_is_played_and_found_fair(browser: Browser, deployment: Deployment) -> None:
    context = browser.new_context(ignore_https_errors=True)
    context.set_default_timeout(120_000)
    page = context.new_page()
    sockets: list[str] = []
    page.on("websocket", lambda opened: sockets.append(opened.url))
    page.goto(f"{deployment.address}/")
    assert page.evaluate("window.isSecureContext") is True
    wait_for(page, "turn", "over")
    finish_hand(page)
    page.click(".tab:text-is('Fair')")
    page.wait_for_selector(".verdict.good")
    assert "is the one that was committed to" in page.locator(".verdict").inner_text()
    assert sockets
    assert all(url.startswith(f"wss://{PROXIED_HOST}:{deployment.port}/") for url in sockets)
    kept = context.cookies()
    assert kept
    assert all(cookie["secure"] and cookie["httpOnly"] for cookie in kept)
    context.close()


def test_cookies_are_not_secure_without_the_proxy(browser: Browser, deployment: Deployment) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{deployment.server.address}/")
    wait_for(page, "turn", "over")
    assert not any(cookie["secure"] for cookie in context.cookies())
    context.close()


def test_visitors_are_counted_by_the_address_that_the_proxy_sees(deployment: Deployment) -> None:
    wrong = {"Authorization": "Bearer wrong"}
    found = [deployment.status("127.0.0.2", **wrong) for _ in range(WRONG_TOKENS)]
    assert found == [401] * WRONG_TOKENS
    assert deployment.status("127.0.0.2", **wrong) == 429
    assert deployment.status("127.0.0.2", **wrong, X_Forwarded_For="127.0.0.9") == 429
    assert deployment.status("127.0.0.3", **wrong) == 401


def test_a_forged_address_from_elsewhere_is_ignored(deployment: Deployment) -> None:
    found = [
        deployment.status_without_proxy(
            "127.0.0.4", Authorization="Bearer wrong", X_Forwarded_For=f"127.0.1.{number}"
        )
        for number in range(WRONG_TOKENS + 1)
    ]
    assert found == [401] * WRONG_TOKENS + [429]


def test_other_names_are_refused_through_the_proxy_too(deployment: Deployment) -> None:
    assert deployment.status("127.0.0.5", host="evil.example") == 400
    assert deployment.status("127.0.0.5") == 401
