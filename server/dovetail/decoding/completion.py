"""The outcome of decoding: a text that fits, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Stop(Enum):
    """The reason for which a completion ended, or for which there is none; the value is a clause for people to read."""

    END = "the model ended it"
    LINE = "a line ended and one line was asked for"
    STATEMENT = "the statement ended"
    BLOCK = "the block ended"
    ENCLOSURE = "more of it would stand outside the brackets or quotes around the cursor"
    FOLLOWING = "it began to repeat what follows the cursor"
    GAIN = "the model was not sure enough of what comes next"
    REPETITION = "it began to repeat itself, or what stands near it"
    LINES = "no more than three lines are shown while you type"
    BUDGET = "its tokens were used up"
    TIME = "its time was used up"
    PACE = "another text was ready long before it"
    UNFIT = "nothing that the model proposed fitted any more"
    CANCELLED = "the request was cancelled"
    SHORT = "what the model would write is too short to be shown"
    BLANK = "the model would write nothing here but blanks"
    THERE = "what the model would write stands after the cursor already"
    INVENTED = "the model's text ended unfinished, and only a made-up name or value would have finished it"
    LONE_NAME = "all that the model would write ends with a name that has to go on"
    NEXT = "what the model would write ends in the midst of a statement, or with a header whose block is missing"
    SWALLOWED = "what the model would write makes a string or comment of lines below"
    OUTSIDE = "what the model would write ends the string or bracket at the cursor, and leaves the sign behind it over"
    REOPENED = "what the model would write ends a block and begins another for what stands below"
    TOO_LONG = "even the shortest text that fits has more tokens than allowed"
    WORD = "there are letters on both sides of the cursor"
    REST_OF_LINE = "it would have moved, indented or commented out the rest of the line"
    WRONG_LINE = "the cursor's line is itself wrong, and no text at the cursor mends it"
    FINISHED = "nothing need follow here, and the model is not sure that more does"
    PROSE = "a line of a comment, a docstring or an element ends here, and the model is not sure that more follows"
    UNSURE = "the model is not sure enough of its text"
    BLOCK_DUE = "the header above needs a block, which must be indented deeper than the cursor's line"
    NOT_VIABLE = "no text at all fits between the left and the right"


_NOTHING = {
    Stop.TIME: "the time was used up before a text was finished",
    Stop.PACE: "another text was ready long before this one",
    Stop.BUDGET: "the tokens were used up before a text was finished",
    Stop.REPETITION: "the model would only repeat itself, or what stands near the cursor",
    Stop.REST_OF_LINE: "what the model would write here moves, indents or comments out the rest of the line; "
    "press Enter first, or ask at its end",
}
"""The clauses of reasons that speak of a text, for where there is none."""

EMPTY = frozenset({Stop.SHORT, Stop.BLANK, Stop.THERE})
"""The reasons for which nothing is offered because the model's text would add nothing."""

KEPT_BACK = EMPTY | {Stop.WORD, Stop.FINISHED, Stop.PROSE, Stop.UNSURE, Stop.LINES, Stop.LONE_NAME}
"""The reasons for which nothing is offered while the user types, although something may be if the user asks by hand."""


class Cause(Enum):
    """The reason for which a token was refused; the value is a clause for people to read."""

    SPECIAL = "it stands for no text"
    UNFINISHED = "the text cannot end here"
    UNFIT = "no program continues like this"
    UNCLOSABLE = "too much text would be needed after it"
    REPETITION = "the text would repeat itself"
    DOCUMENTATION = "a docstring was not asked for"
    COMMENT = "a comment right behind a sign, or in a tag, was not asked for"
    ESCAPE = "it would stand outside the brackets or quotes around the cursor"
    REST_OF_LINE = "the rest of the line would move"
    INDENTATION = "the file is not indented like this"
    BLANKS = "there are blanks enough before the cursor"
    PROSE = "the bracket would be text of an element"
    STYLE = "the file is not written like this"
    HIDDEN = "it has a character that cannot be seen"
    WORD_OF_FUNCTION = "the function around the cursor does not allow this word"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A token that the model preferred to the one that was taken."""

    text: str
    """The completion before the token."""
    piece: str
    """The text that the token would have added, or the name of a special token."""
    cause: Cause


@dataclass(frozen=True, slots=True)
class Seconds:
    """The time that each part of a completion took, in seconds."""

    contexts: float
    """Reading the left and the right text."""
    prompt: float
    """Making and reading the prompt, up to the model's first proposals."""
    model: float
    """Proposing all further tokens."""
    constraint: float
    """Asking which tokens fit, and what would close the text."""


@dataclass(frozen=True, slots=True)
class Completion:
    """The outcome of one request."""

    text: str | None
    """The text to insert: left, text and right together are a program. None if nothing is offered."""
    stop: Stop
    closing: str
    """The end of `text` that the model did not write: the shortest closing of the text before it."""
    tokens: int
    """Tokens that the model contributed, including those that were cut off again."""
    refused: int
    """Better-ranked tokens that were refused."""
    seconds: Seconds
    refusals: tuple[Refusal, ...] = ()
    """The first of those tokens, in the order in which they were refused."""
    acceptance: float | None = None
    """The estimated probability that the user accepts the text, or would have accepted one that was kept back because
    it is too small; None without a text (`acceptance.py`)."""
    finished: bool = False
    """True if something was finished at the cursor and the text begins something new (`CursorPlace.is_finished`)."""

    @property
    def reason(self) -> str:
        """The reason for which the text ended, or for which there is none, as a clause for people to read."""
        return self.stop.value if self.text is not None else _NOTHING.get(self.stop, self.stop.value)
