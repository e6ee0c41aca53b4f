"""Routing: documents stay where they were read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dovetail.team.routing import chosen, preferred

REPLICAS = st.lists(st.integers(0, 30), min_size=1, max_size=8, unique=True)


@given(st.text(), REPLICAS, st.data())
def test_only_documents_of_a_lost_replica_move(document: str, replicas: list[int], data: st.DataObject) -> None:
    """If a replica goes, the order of all others stays, for any document."""
    lost = data.draw(st.sampled_from(replicas))
    order = preferred(document, replicas)

    assert sorted(order) == sorted(replicas)
    assert preferred(document, [each for each in replicas if each != lost]) == [each for each in order if each != lost]


def test_documents_spread() -> None:
    """Each of four replicas has its part of a thousand documents, within what chance allows."""
    firsts = [preferred(f"document {number}", range(4))[0] for number in range(1000)]

    assert all(190 < firsts.count(replica) < 310 for replica in range(4))


@given(st.text(), st.dictionaries(st.integers(0, 9), st.integers(0, 40)))
def test_a_long_queue_is_passed_over(document: str, waiting: dict[int, int]) -> None:
    """The first replica in the document's order is chosen whose queue is not much longer than the shortest."""
    found = chosen(document, waiting)

    if not waiting:
        assert found is None
        return
    assert found is not None
    near = [each for each in preferred(document, list(waiting)) if waiting[each] <= min(waiting.values()) + 4]
    assert found == near[0]
