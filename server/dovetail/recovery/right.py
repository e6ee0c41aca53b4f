"""What to leave out of the text after the cursor where it is broken.

The cursor's own line, over as many lines as it goes, is kept: what it will be is not known yet. So what follows is
read after that line as it stands; then as if it were whole, a statement or the header of a block; then as if it were
not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.quotient.omission import Omission
from dovetail.recovery.checkpoint import Checkpoint
from dovetail.recovery.left import FAR, IN_BRACKET, Track
from dovetail.recovery.line_reader import blanks_of, line_ends

if TYPE_CHECKING:
    from collections.abc import Iterator


def beyond(track: Track, text: str, offset: int) -> Iterator[tuple[Omission, ...]]:
    """Yield what to leave out of the text after the cursor, at which a track ends, the most likely first."""
    if track.layout is None:
        return
    of_cursor = text.find("\n", offset) + 1 or len(text)
    own = _own_line(track, text, offset, of_cursor)
    tried: set[tuple[Omission, ...]] = set()
    for base in _after_own_line(track, text, own):
        further = Track(track.machine, track.placeholders, track.stacks, [base])
        if further.mend_on(text, own.offset):
            spans = tuple(span for span in further.checkpoints[-1].left_out if span.start >= of_cursor)
            if spans not in tried:
                tried.add(spans)
                yield spans


def _after_own_line(track: Track, text: str, own: Checkpoint) -> Iterator[Checkpoint]:
    """Yield what may be known after the cursor's line, of which `own` says how far it goes, and what if read."""
    if own.heads:
        yield own
    index = track.last_begun()
    begun = track.checkpoints[index]
    blanks = blanks_of(text[begun.offset : own.offset])
    following = track.reader.first_content(text, own.offset, own.offset + FAR)
    lines = [f"{blanks}{line}\n" for line in (track.machine.statement, track.placeholders.header) if line]
    for line in reversed(lines) if len(blanks_of(following)) > len(blanks) else lines:
        at = track.latest(index, line)
        read = track.reader.after(at, line) if at is not None else None
        if read is not None:
            yield Checkpoint(own.offset, *read, begins=True, left_out=own.left_out)
    yield track.lose(begun._replace(left_out=own.left_out), own.offset)


def _own_line(track: Track, text: str, offset: int, of_cursor: int) -> Checkpoint:
    """Return what is known after the cursor's line: nothing, without heads, where it cannot be read as it stands.

    Of one that goes over several, lines that do not fit are left out, but for the first, which is the cursor's and
    ends at `of_cursor`.
    """
    begun = track.checkpoints[track.last_begun()]
    at = track.checkpoints[-1]._replace(left_out=())
    unread = begun._replace(offset=of_cursor, heads=(), begins=False, left_out=())
    read = track.reader.after(at, text[offset:of_cursor])
    if read is not None:
        at = Checkpoint(of_cursor, *read, begins=track.reader.begins_after(read[0]))
    else:
        start = text.rfind("\n", 0, offset) + 1
        before = next((earlier for earlier in reversed(track.checkpoints) if earlier.offset <= start), begun)
        if not track.reader.in_bracket(before):
            return unread
        # It does not fit what is in the bracket around it; whatever comes of it, the next line follows on it.
        at = before._replace(offset=of_cursor, left_out=())
    for end in line_ends(text, of_cursor, offset + FAR):
        if at.begins:
            break
        line = text[at.offset : end]
        read = track.reader.after(at, line)
        if read is not None:
            at = Checkpoint(end, *read, track.reader.begins_after(read[0]), at.left_out)
        elif track.reader.in_bracket(at) and not track.reader.is_own(line) and len(at.left_out) < IN_BRACKET:
            at = at._replace(offset=end, left_out=(*at.left_out, Omission(at.offset, end)))
        else:
            return unread
    return at if at.begins and not track.reader.is_unfinished(at) else unread
