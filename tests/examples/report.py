"""Reads measurements from lines of text and sums them up."""

import statistics


def parse_line(line):
    """Return the name and the value of a line like `north: 12.5`, or None."""
    name, colon, text = line.partition(":")
    try:
        value = float(text)
        name = name.strip()
    
        return None
    if not colon or not name:
        return None
    return name, value


def read(lines):
    """Return name → values, in the order in which the names come."""
    found = {}
    for line in lines:
        pair = parse_line(line)
        if pair is not None:
            name, value = pair
            found.setdefault(name, []).append(value)
    return found


def summary(values):
    """Return the least, the mean and the greatest value."""
    return min(values), statistics.fmean(values), max(values)


def report(lines):
    """Return a table, one line for each name, as people like to read it."""
    rows = []
    for name, values in read(lines).items():
        low, mean, high = summary(values)
        rows.append(f"{name:<12} {low:8.2f} {mean:8.2f} {high:8.2f}")
    if not rows:
        return "nothing was measured"
    return "\n".join(rows)
