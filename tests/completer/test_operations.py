"""One table of operations: those that implement it and those that double it agree with it."""

from __future__ import annotations

import inspect

import pytest
from tests.lsp.scripted_completer import ScriptedCompleter

from dovetail.completer.local import LocalCompleter
from dovetail.completer.operations import OPERATIONS, Completer, DocumentOperations
from dovetail.completer.remote import RemoteCompleter

ON_DOCUMENTS = [name for name in OPERATIONS if hasattr(DocumentOperations, name)]


def parameters(kind: type, name: str) -> list[tuple[str, object, object]]:
    """Return names, kinds and defaults of a method's parameters."""
    found = inspect.signature(getattr(kind, name)).parameters.values()
    return [(parameter.name, parameter.kind, parameter.default) for parameter in found]


def test_the_table_holds_every_operation() -> None:
    """The process can be asked for exactly what is declared, each with its types."""
    assert sorted(OPERATIONS) == ["candidates", "complete", "forget", "load", "prepare", "read_on", "recall"]
    for operation in OPERATIONS.values():
        assert inspect.Parameter.empty not in operation.arguments.values()


@pytest.mark.parametrize("name", OPERATIONS)
def test_the_local_completer_has_every_operation(name: str) -> None:
    """The child calls it by the names of the table."""
    assert [given for given, _, _ in parameters(LocalCompleter, name)] == ["self", *OPERATIONS[name].arguments]


@pytest.mark.parametrize("name", ON_DOCUMENTS)
@pytest.mark.parametrize("kind", [RemoteCompleter, ScriptedCompleter, Completer])
def test_callers_and_doubles_have_the_operations_on_documents(kind: type, name: str) -> None:
    """Their methods take what those of the table take."""
    assert parameters(kind, name) == parameters(DocumentOperations, name)
