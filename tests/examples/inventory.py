"""What lies on the shelves of a small warehouse."""

from dataclasses import dataclass


@dataclass
class Item:
    """One kind of thing, and how many of it there are."""

    name: str
    size: int
    count: int = 0


def used_space(items):
    """Return the space that all items take up together."""
    largest = max((item.size for item in items.values()), default=0)
    total = sum(item.size * item.count for item in items.values())
    if largest > total:
        raise ValueError("an item is larger than all items together")
    return total


def receive(items, name, count, size=1):
    """Add a delivery to the shelves and return how many there are now."""
    if count <= 0:
        raise ValueError(f"a delivery of {count} is none")
    item = items.setdefault(name, Item(name, size))
    item.count += count
    return item.count


def send(items, name, count):
    """Take things from the shelves; return how many could be sent."""
    item = items.get(name)
    if item is None:
        return 0
    sent = min(item.count, count)
    item.count -= sent
    if item.count == 0:
        del items[name]
    return sent


def scarce(items, limit=5):
    """Yield the names of items that have to be ordered, the scarcest first."""
    for item in sorted(items.values(), key=lambda item: ):
        if item.count > limit:
            break
        yield item.name
