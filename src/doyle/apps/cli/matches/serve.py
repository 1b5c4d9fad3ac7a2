"""`doyle serve`: the table in the browser, its pages and its API."""

from __future__ import annotations

from typing import Annotated

import typer

from doyle.apps.cli.common import say


def register(app: typer.Typer) -> None:
    app.command()(serve)


def serve(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[AGENT]...",
            help="Agents to offer besides bundled and built ones.",
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen on; others than loopback need --token.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port; 0 selects any free port.")
    ] = 8080,
    database: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="sqlite:///FILE or postgresql://... (default: a file in the cache folder).",
        ),
    ] = "",
    token: Annotated[
        str | None,
        typer.Option(envvar="DOYLE_TOKEN", help="Token that browsers and programs must present."),
    ] = None,
    pace: Annotated[float, typer.Option(help="Seconds until an agent's action is shown.")] = 0.7,
    fold_after: Annotated[
        float, typer.Option(help="Seconds after which an abandoned hand is folded.")
    ] = 600.0,
    workers: Annotated[
        int | None, typer.Option(min=1, max=64, help="Processes in which agents think.")
    ] = None,
    allowed_hosts: Annotated[
        list[str] | None,
        typer.Option("--allowed-host", help="Name by which browsers may address this server."),
    ] = None,
    trusted_proxies: Annotated[
        list[str] | None,
        typer.Option(
            "--trusted-proxy",
            metavar="ADDRESS",
            help="Proxy whose X-Forwarded-For and X-Forwarded-Proto are trusted.",
        ),
    ] = None,
) -> None:
    """Serve the table in the browser, and its API, until interrupted."""
    from doyle.base.errors import DoyleError
    from doyle.base.workers.local import available_cores

    try:
        from doyle.apps.web.config import ServerConfig
        from doyle.apps.web.server import serve as serve_config
    except ModuleNotFoundError as error:
        raise DoyleError(
            f"serve: needs the package {error.name!r}; pip install 'doyle[web]'"
        ) from None
    config = ServerConfig(
        host=host,
        port=port,
        database=database,
        agents=tuple(agents or ()),
        token=token,
        pace=pace,
        fold_after=fold_after,
        thinkers=workers or max(2, available_cores()),
        allowed_hosts=tuple(allowed_hosts or ()),
        trusted_proxies=tuple(trusted_proxies or ()),
    )
    if agents:  # refused now, not at the first table
        from doyle.apps.web.thinking.available_agents import given_offers

        given_offers(config.agents)
    serve_config(config, say=say)
