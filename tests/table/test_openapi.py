"""The API's description: requests made from it get no server error, and answers are as it says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from kessel.table.app import make_app
from kessel.table.store import open_store
from tests.table.people import new_table, play, server

schemathesis = pytest.importorskip("schemathesis")
checks = pytest.importorskip("schemathesis.checks")
checks.load_all_checks()
CHECKS = tuple(
    getattr(checks, name)
    for name in (
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_schema_conformance",
    )
)


def description() -> Any:
    return make_app(open_store("sqlite://")).openapi()


OPERATIONS = sorted(
    (path, method) for path, methods in description()["paths"].items() for method in methods if path.startswith("/api")
)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with server(tmp_path_factory.mktemp("openapi"), most_tables=40) as found:
        yield found


@pytest.fixture(scope="module")
def schema() -> Any:
    return schemathesis.openapi.from_dict(description())


InPlay = tuple[str, list[str], list[str]]
"""A table's id, its tokens, its listed actions."""


@pytest.fixture(scope="module")
def last() -> list[InPlay]:
    return []


@pytest.fixture
def table(client: TestClient, last: list[InPlay]) -> InPlay:
    """The table of the last test, unless that has thrown it away or filled the server with others."""
    there = [row["id"] for row in client.get("/api/v1/tables").json()]
    if last and last[0][0] in there and len(there) < 30:
        return last[0]
    for other in there:
        client.delete(f"/api/v1/tables/{other}")
    made, seats = new_table(client)
    play(seats, 4)
    tokens = [s.headers["Authorization"] for s in seats.values()]
    choices = [c["text"] for s in seats.values() for c in s.view()["question"].get("choices", [])]
    last[:] = [(made, tokens, choices)]
    return last[0]


def check_operation(client: TestClient, operation: Any, table: InPlay, examples: int) -> None:
    made, tokens, choices = table

    @settings(
        max_examples=examples,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(), data=st.data())
    def check(case: Any, data: st.DataObject) -> None:
        if "table_id" in case.path_parameters and data.draw(st.integers(0, 9)):
            case.path_parameters["table_id"] = made
        if data.draw(st.integers(0, 9)):
            case.headers["Authorization"] = data.draw(st.sampled_from(tokens))
        if isinstance(case.body, dict) and "do" in case.body and data.draw(st.booleans()):
            case.body["do"] = data.draw(st.sampled_from(choices))
        sent = case.as_transport_kwargs(base_url="http://testserver")
        sent.pop("cookies", None)
        answer = client.request(**sent)
        case.validate_response(answer, checks=CHECKS)

    check()


def operation(schema: Any, path: str, method: str) -> Any:
    return schema[path][method.upper()]


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_requests_made_from_the_description(
    client: TestClient, schema: Any, table: InPlay, path: str, method: str
) -> None:
    check_operation(client, operation(schema, path, method), table, 4)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_many_requests_made_from_the_description(
    client: TestClient, schema: Any, table: InPlay, path: str, method: str
) -> None:
    check_operation(client, operation(schema, path, method), table, 300)


def test_every_answer_is_described() -> None:
    doc = description()
    for path, methods in doc["paths"].items():
        for method, call in methods.items():
            done = next(call["responses"][s] for s in ("200", "201") if s in call["responses"])
            schema = next(iter(done["content"].values()))["schema"]
            assert schema, (path, method)
            assert call["responses"]["400"]["content"]["application/json"]["schema"]["$ref"].endswith("/Problem")
    for name in ("View", "SideView", "Piece", "Choice", "QuestionView", "LogEntry", "Scenario", "Option", "Done"):
        assert doc["components"]["schemas"][name]["properties"]
    assert "HTTPValidationError" not in str(doc)


def test_the_description_is_served(client: TestClient) -> None:
    assert client.get("/api/v1/openapi.json").json() == json.loads(json.dumps(description()))
