"""Addresses, and what a database that is down or shut says."""

from pathlib import Path

import pytest

from services.core.bridge import AsyncBridge
from services.core.config import Settings
from services.core.errors import BadInput, GraphUnavailable
from services.core.models import Entity, GraphWrite
from services.graph import connect
from tools.neo4j_server import Neo4jServer

DOWN = ["falkordb://127.0.0.1:1", "bolt://127.0.0.1:1", "neo4j://127.0.0.1:1"]


@pytest.mark.parametrize("url", DOWN)
def test_a_database_that_is_down_is_no_error_until_it_is_asked(url: str, bridge: AsyncBridge) -> None:
    store = connect.open_graph(Settings(graph_url=url))
    assert store.address == url
    for work in (store.ping(), store.entities("w", ["u"]), store.write("w", GraphWrite((Entity("u", "U"),)))):
        with pytest.raises(GraphUnavailable, match="is not responding"):
            bridge.run(work, timeout=20)
    bridge.run(store.close())


@pytest.mark.parametrize("url", ["", "postgres://host", "bolt://", "falkordb://host:port", "somewhere"])
def test_an_address_that_names_no_database_is_bad_input(url: str) -> None:
    with pytest.raises(BadInput, match="falkordb://"):
        connect.open_graph(Settings(graph_url=url))


def test_an_address_is_shown_without_its_password() -> None:
    store = connect.open_graph(Settings(graph_url="bolt://ada:secret@db.example:7687"))
    assert store.address == "bolt://db.example:7687"


def test_a_connection_test_says_what_it_found(
    embedded_settings: Settings, falkordb_settings: Settings, bridge: AsyncBridge
) -> None:
    for settings, where in ((embedded_settings, "embedded"), (falkordb_settings, "falkordb://127.0.0.1")):
        report = bridge.run(connect.test_connection(settings))
        assert report.startswith("FalkorDB 4.")
        assert where in report
        assert "workspace" in report
        assert "sesame" not in report


def test_a_wrong_password_differs_from_a_server_that_is_down(falkordb_settings: Settings, bridge: AsyncBridge) -> None:
    wrong = Settings(graph_url=falkordb_settings.graph_url.replace("sesame", "wrong"))
    with pytest.raises(GraphUnavailable, match="ASOF_GRAPH_PASSWORD"):
        bridge.run(connect.test_connection(wrong))


def test_the_password_may_come_by_a_setting_of_its_own(falkordb_settings: Settings, bridge: AsyncBridge) -> None:
    address = falkordb_settings.graph_url.replace(":sesame@", "")
    assert bridge.run(connect.test_connection(Settings(graph_url=address, graph_password="sesame")))


@pytest.mark.neo4j
def test_neo4j_says_its_version_and_refuses_a_wrong_password(neo4j_settings: Settings, bridge: AsyncBridge) -> None:
    assert bridge.run(connect.test_connection(neo4j_settings)).startswith("Neo4j 5.26")
    wrong = Settings(graph_url=neo4j_settings.graph_url, graph_user="neo4j", graph_password="wrong")
    with pytest.raises(GraphUnavailable, match="rejected the user or password"):
        bridge.run(connect.test_connection(wrong))


@pytest.mark.neo4j
def test_a_store_outlives_a_killed_neo4j_and_loses_nothing(
    neo4j_server: Neo4jServer, short_folder: Path, bridge: AsyncBridge
) -> None:
    server = Neo4jServer(short_folder / "neo4j-killed")
    server.start()
    store = connect.open_graph(Settings(graph_url=server.address))
    try:
        bridge.run(store.write("w", GraphWrite((Entity("u-1", "One"),))))
        server.kill()
        with pytest.raises(GraphUnavailable):
            bridge.run(store.entities("w", ["u-1"]))
        server.start()
        bridge.run(store.write("w", GraphWrite((Entity("u-2", "Two"),))))
        assert [e.name for e in bridge.run(store.entities("w", ["u-1", "u-2"]))] == ["One", "Two"]
    finally:
        bridge.run(store.close())
        server.stop()
