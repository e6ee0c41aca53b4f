"""The costs and limits of error recovery, in one place.

Recovery has to end soon on any text, a novel or a binary file included. So each skip and each placeholder costs 1,
lines that are read again cost in proportion, and a reading that has cost `PATIENCE` is given up. The other limits
keep one repair local: a person looks for the mistake near the line that does not fit.
"""

from __future__ import annotations

PATIENCE = 200
"""The cost at which a reading is given up: the text is not of this language."""

LINES_PER_COST = 100
"""Lines that may be read again, by one stack each, for a cost of 1."""

LINES_BEFORE = 60
"""A repair may skip at most this many lines before one that does not fit."""

HEADER_LINES = 5
"""A placeholder may replace a header of at most this many lines, decorators included."""

LINES_IN_BRACKET = 3
"""Lines that may be skipped inside one bracket; where more do not fit, the bracket itself is wrong."""

CONFLICT_LINES = 400
"""Lines of a merge conflict whose first mark is looked for."""

STRING_LINES = 10
"""Lines of a long string that are looked at, to tell prose from code."""

OPENERS = 3
"""Readings without an opening line that are tried, each without one line more."""

NEAR_LINES = 100
"""Lines before the cursor that are read again where the cursor's line does not fit."""

COLUMN_LINES = 400
"""Lines before the cursor that are read again by their columns, where brackets make blocks."""

FAR = 20_000
"""Characters after the cursor in which its line may end, and in which lines are skipped."""

ENDED_READINGS = 7
"""Readings that are tried with each text that may end the header around the cursor, most of them with omissions."""

RIGHT_SIDES = 16
"""Right texts with omissions that are remembered for one text after the cursor."""

NODES = 10_000
"""Stack nodes that a document may hold beyond those of its text. They take 4 MB, and some hundred edits make them."""

CHARACTERS_PER_NODE = 4
"""A document may hold one node more for this many characters. Reading a text makes about one for 14."""
