"""`doyle acpc` as scripts call it: the dealer and its clients in processes of their own."""

from __future__ import annotations

import json
import os
import re
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from doyle.apps.cli import main
from doyle.apps.cli.matches.acpc import ListOptions
from tests.matches.network.peer import RULES, PeerClient

DOYLE = [sys.executable, "-m", "doyle"]


def free_ports(count: int) -> list[int]:
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [listener.getsockname()[1] for listener in listeners]
    for listener in listeners:
        listener.close()
    return ports


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*DOYLE, "acpc", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_a_match_by_three_commands(tmp_path: Path) -> None:
    log, local = tmp_path / "dealer.log", tmp_path / "local.log"
    keys = [str(tmp_path / "a.key"), str(tmp_path / "b.key")]
    dealer = start(
        "dealer", "leduc", "--hands", "40", "--seed", "4", "--names", "random", "ev",
        "--log", str(log), "--key-files", *keys, "--strict",
    )  # fmt: skip
    assert dealer.stdout is not None
    ports = dealer.stdout.readline().split()
    clients = [
        start("play", agent, "127.0.0.1", port, "--game", "leduc", "--key-file", key, "--json")
        for agent, port, key in zip(("random", "ev"), ports, keys, strict=True)
    ]
    documents = []
    for client in clients:
        out, err = client.communicate(timeout=120)
        assert (client.returncode, err) == (0, "")
        documents.append(json.loads(out))
    rest, err = dealer.communicate(timeout=120)
    assert (dealer.returncode, err) == (0, "")
    assert [document["hands"] for document in documents] == [40, 40]
    chips = [int(document["chips"]) for document in documents]
    assert rest == f"SCORE:{chips[0]}|{chips[1]}:random|ev\n"
    arguments = ["--hands", "40", "--seed", "4", "--no-duplicate", "--deals", "acpc"]
    assert main(["match", "leduc", "random", "ev", *arguments, "--log", str(local)]) == 0
    assert log.read_bytes() == local.read_bytes()


def test_the_document_of_the_dealer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ports = free_ports(2)
    peers = [PeerClient(RULES["kuhn"], seed=seat, seat=seat) for seat in range(2)]
    threads = [
        threading.Thread(target=_play_when_there, args=(peer, port), daemon=True)
        for peer, port in zip(peers, ports, strict=True)
    ]
    for thread in threads:
        thread.start()
    arguments = ["--hands", "20", "--ports", f"{ports[0]},{ports[1]}", "--json", "--strict"]
    assert main(["acpc", "dealer", "kuhn", *arguments]) == 0
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert captured.err == f"{ports[0]} {ports[1]}\n"
    assert document["ports"] == ports
    assert document["host"] == "127.0.0.1"
    assert (document["hands"], document["hands_wanted"], document["ended"]) == (20, 20, None)
    assert (document["deals"], document["mode"]) == ("acpc", "repeatable")
    assert document["deviations"]["total"] == 0
    for thread in threads:
        thread.join(30)
    assert document["score"] == [float(peer.total) for peer in peers]


def _play_when_there(peer: PeerClient, port: int) -> None:
    for _ in range(600):
        try:
            peer.play(port)
            return
        except ConnectionRefusedError:
            threading.Event().wait(0.05)


def test_strict_reports_each_deviation_and_exits_with_1(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ports = free_ports(2)

    class Sloppy(PeerClient):
        def choose(self, seen: object) -> str:
            return "c with words"

    peers = [PeerClient(RULES["kuhn"]), Sloppy(RULES["kuhn"], seat=1)]
    threads = [
        threading.Thread(target=_play_when_there, args=(peer, port), daemon=True)
        for peer, port in zip(peers, ports, strict=True)
    ]
    for thread in threads:
        thread.start()
    given = ["--hands", "6", "--ports", str(ports[0]), str(ports[1]), "--names", "good", "sloppy"]
    assert main(["acpc", "dealer", "kuhn", *given, "--strict"]) == 1
    captured = capsys.readouterr()
    reports = [line for line in captured.err.splitlines() if line.startswith("warning: sloppy")]
    assert len(reports) >= 6
    assert reports[0].startswith("warning: sloppy, hand 0: writes more after the action")
    assert captured.out.splitlines()[-1].startswith("SCORE:")


def test_a_match_ended_by_a_client_exits_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--hands", "5", "--timeout-start", "0.2", "--timeout-action", "0.2"]
    assert main(["acpc", "dealer", "kuhn", *arguments, "--json"]) == 1
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert document["ended"] == {
        "name": "player1",
        "hand_number": 0,
        "reason": "did not connect in time",
    }
    assert document["hands"] == 0
    assert "ended in hand 0 without a score: player1 did not connect in time" in captured.err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["dealer", "kuhn", "--ports", "1"], "needs 2 ports, not 1"),
        (["dealer", "kuhn", "--ports", "x", "2"], "--ports 'x': expected numbers"),
        (["dealer", "kuhn", "--ports", "70000", "2"], "--ports '70000': expected numbers"),
        (["dealer", "kuhn", "--names", "a", "b", "c"], "needs 2 names, not 3"),
        (["dealer", "kuhn", "--key-files", "a"], "needs 2 files, not 1"),
        (["dealer", "kuhn", "--on-failure", "call"], "expected end or fold"),
        (["dealer", "kuhn", "--timeout-hand", "0"], "--timeout-hand 0.0: expected seconds"),
        (["dealer", "kuhn", "--timeout-action", "nan"], "--timeout-action nan"),
        (["dealer", "nonsense"], "nonsense"),
        (["dealer", "kuhn", "--host", "no.such.host.invalid"], "cannot listen"),
        (["dealer", "kuhn", "--seed", "5000000000"], "seed"),
        (["play", "nobody", "127.0.0.1", "1"], "agent 'nobody': no such agent"),
        (["play", "random", "127.0.0.1", "1", "--wait", "0"], "no dealer listens"),
        (["play", "random", "127.0.0.1", "0"], "PORT"),
        (["script", "nobody"], "agent 'nobody': no such agent"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["acpc", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("doyle: ")
    assert captured.err.count("\n") == 1
    assert problem in captured.err


def test_a_client_says_when_the_game_is_another(capsys: pytest.CaptureFixture[str]) -> None:
    [port] = free_ports(1)
    with socket.create_server(("127.0.0.1", port)) as listener:

        def send() -> None:
            client, _ = listener.accept()
            with client:
                client.sendall(b"MATCHSTATE:0:0::Js|\r\n")
                client.recv(100)

        thread = threading.Thread(target=send, daemon=True)
        thread.start()
        assert main(["acpc", "play", "random", "127.0.0.1", str(port), "--game", "kuhn"]) == 2
        thread.join(10)
    error = capsys.readouterr().err
    assert "line 1 of the dealer" in error
    assert "is its game not kuhn?" in error


def test_a_client_whose_dealer_leaves_within_a_hand_exits_with_1(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

        def send() -> None:
            client, _ = listener.accept()
            with client:
                client.sendall(b"MATCHSTATE:0:0::As|\r\n")
                while b":c" not in client.recv(4096):
                    pass

        thread = threading.Thread(target=send, daemon=True)
        thread.start()
        arguments = ["always-call", "127.0.0.1", str(port), "--game", "kuhn", "--json"]
        assert main(["acpc", "play", *arguments]) == 1
        thread.join(10)
    document = json.loads(capsys.readouterr().out)
    assert document["interrupted"] is True
    assert (document["hands"], document["decisions"]) == (0, 1)


def test_the_script_plays_with_host_and_port(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "agent.sh"
    given = ["--game", "kuhn", "--output", str(path)]
    assert main(["acpc", "script", "always-call", *given]) == 0
    assert capsys.readouterr().err == f"doyle: wrote {path}\n"
    assert path.stat().st_mode & stat.S_IXUSR
    dealer = start("dealer", "kuhn", "--hands", "10", "--names", "a", "b")
    assert dealer.stdout is not None
    ports = dealer.stdout.readline().split()
    clients = [subprocess.Popen([str(path), "127.0.0.1", port]) for port in ports]
    assert [client.wait(60) for client in clients] == [0, 0]
    assert re.fullmatch(r"SCORE:-?\d+\|-?\d+:a\|b\n", dealer.communicate(timeout=60)[0])


@pytest.mark.skipif(os.name == "nt", reason="a shell script")
def test_the_example_script_plays_with_host_and_port(tmp_path: Path) -> None:
    script = Path(__file__).parents[3] / "examples" / "acpc-agent.sh"
    assert script.stat().st_mode & stat.S_IXUSR
    folder = tmp_path / "bin"
    folder.mkdir()
    command = folder / "doyle"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m doyle "$@"\n')
    command.chmod(0o755)
    environment = os.environ | {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "DOYLE_AGENT": "always-call",
        "DOYLE_GAME": "kuhn",
    }
    dealer = start("dealer", "kuhn", "--hands", "4")
    assert dealer.stdout is not None
    ports = dealer.stdout.readline().split()
    clients = [
        subprocess.Popen([str(script), "127.0.0.1", port], env=environment) for port in ports
    ]
    assert [client.wait(60) for client in clients] == [0, 0]
    assert dealer.communicate(timeout=60)[0].startswith("SCORE:")


@pytest.mark.parametrize("duplicate", ["--duplicate", "--no-duplicate"])
def test_a_client_in_a_match_of_agents(duplicate: str, capsys: pytest.CaptureFixture[str]) -> None:
    [port] = free_ports(1)
    client = start("play", "always-call", "127.0.0.1", str(port), "--game", "kuhn", "--wait", "60")
    given = ["--hands", "25", "--seed", "3", duplicate, "--json"]
    assert main(["match", "kuhn", f"acpc:{port}", "always-raise", *given]) == 0
    over_network = json.loads(capsys.readouterr().out)
    assert client.wait(60) == 0
    client.communicate()
    assert main(["match", "kuhn", "always-call", "always-raise", *given]) == 0
    local = json.loads(capsys.readouterr().out)
    assert over_network["players"][0].pop("name") == f"acpc-{port}"
    local["players"][0].pop("name")
    for document in (over_network, local):
        document["comparison"].pop("leader")  # by that name
    assert over_network == local


@pytest.mark.parametrize("text", ["acpc:", "acpc:x", "acpc:0", "acpc:99999"])
def test_bad_ports_of_a_client_are_one_line(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "kuhn", text, "random", "--hands", "2"]) == 2
    assert "expected acpc:PORT" in capsys.readouterr().err


def test_list_options_take_several_values() -> None:
    spread = ListOptions("dealer").spread
    assert spread(["kuhn", "--names", "a", "b", "--hands", "3"]) == [
        "kuhn", "--names", "a", "--names", "b", "--hands", "3",
    ]  # fmt: skip
    assert spread(["kuhn", "--json"]) == ["kuhn", "--json"]
