r"""The patterns of terminals: from the text of a regular expression to a syntax tree.

The dialect holds only what is regular. Look-around, back references and anchors are refused because a deterministic
automaton cannot express them, lazy quantifiers because the longest match would ignore them.

>>> parse_pattern("a?")
Repetition(part=Characters(ranges=((97, 97),)), least=0, most=1)
>>> parse_pattern(r"a\b")
Traceback (most recent call last):
dovetail.automata.patterns.PatternError: an anchor (\b is a backspace in a class only) at character 3 of /a\b/
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.automata import characters
from dovetail.automata.unicode_properties import unicode_property

if TYPE_CHECKING:
    from dovetail.automata.characters import Ranges


class PatternError(ValueError):
    """A pattern is not in the dialect; the message names the fault and the character where it stands."""


@dataclass(frozen=True, slots=True)
class Characters:
    """One character of a set."""

    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Sequence:
    """The parts, one after the other; without parts, the empty text."""

    parts: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    """Any one of the parts, as `a|b`."""

    parts: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Repetition:
    """The part, from `least` to `most` times; `most` is None for any number."""

    part: Pattern
    least: int
    most: int | None


Pattern = Characters | Sequence | Alternation | Repetition

_DEEPEST = 100  # groups inside each other; the reader calls itself for each, and Python's stack is bounded
_CONTROL = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "a": "\a", "b": "\b", "0": "\0"}
_DIGIT: Ranges = ((48, 57),)
_WORD: Ranges = ((48, 57), (65, 90), (95, 95), (97, 122))
_SPACE: Ranges = ((9, 13), (32, 32))
_NAMED = {"d": _DIGIT, "w": _WORD, "s": _SPACE}
_HEX_LENGTH = {"x": 2, "u": 4, "U": 8}


def text_pattern(text: str) -> Pattern:
    """Return the pattern that matches one text and no other."""
    return Sequence(tuple(Characters(characters.literal(character)) for character in text))


def parse_pattern(text: str) -> Pattern:
    """Return the syntax tree of a regular expression; raise PatternError if it is not in the dialect."""
    reader = _Reader(text)
    pattern = reader.choice()
    if reader.at < len(text):
        raise reader.error("unmatched )")
    return pattern


class _Reader:
    """A recursive-descent reader; `at` is the place of the next character, `flags` are those of the group around."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.flags: frozenset[str] = frozenset()
        self.depth = 0

    def error(self, what: str) -> PatternError:
        return PatternError(f"{what} at character {self.at + 1} of /{self.text}/")

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def take(self) -> str:
        character = self.peek()
        if not character:
            raise self.error("unexpected end")
        self.at += 1
        return character

    def choice(self) -> Pattern:
        parts = [self.sequence()]
        while self.peek() == "|":
            self.at += 1
            parts.append(self.sequence())
        return parts[0] if len(parts) == 1 else Alternation(tuple(parts))

    def sequence(self) -> Pattern:
        parts: list[Pattern] = []
        while True:
            if "x" in self.flags:
                self.skip_layout()
            if self.peek() in ("", "|", ")"):
                return parts[0] if len(parts) == 1 else Sequence(tuple(parts))
            parts.append(self.repetition())

    def skip_layout(self) -> None:
        while self.peek() and (self.peek().isspace() or self.peek() == "#"):
            if self.take() == "#":
                while self.peek() not in ("", "\n"):
                    self.at += 1

    def repetition(self) -> Pattern:
        part = self.atom()
        while (quantifier := self.quantifier()) is not None:
            least, most = quantifier
            if self.peek() in ("?", "+") and self.peek():
                raise self.error("lazy and possessive quantifiers are not regular here")
            part = Repetition(part, least, most)
        return part

    def quantifier(self) -> tuple[int, int | None] | None:
        character = self.peek()
        simple: dict[str, tuple[int, int | None]] = {"?": (0, 1), "*": (0, None), "+": (1, None)}
        if character in simple and character:
            self.at += 1
            return simple[character]
        if character != "{":
            return None
        end = self.text.find("}", self.at)
        bounds = self.text[self.at + 1 : end].split(",") if end >= 0 else []
        if not bounds or len(bounds) > 2 or not all(bound.strip().isdigit() or not bound.strip() for bound in bounds):
            return None  # as in `re`, a brace that begins no quantifier stands for itself
        if not any(bound.strip() for bound in bounds):
            return None
        self.at = end + 1
        least = int(bounds[0]) if bounds[0].strip() else 0
        most = least if len(bounds) == 1 else int(bounds[1]) if bounds[1].strip() else None
        if most is not None and most < least:
            raise self.error("bounds of a repetition in the wrong order")
        return least, most

    def atom(self) -> Pattern:
        character = self.take()
        if character == "(":
            return self.group()
        if character == "[":
            return self.characters(self.character_class())
        if character == ".":
            newline = characters.literal("\n")
            return Characters(characters.EVERY if "s" in self.flags else characters.complement(newline))
        if character == "\\":
            if self.peek() == "b":
                raise self.error("an anchor (\\b is a backspace in a class only)")
            return self.characters(self.escape())
        if character in "*+?":
            self.at -= 1
            raise self.error("nothing to repeat")
        if character in "^$":
            self.at -= 1
            raise self.error("anchors are not regular")
        return self.characters(characters.literal(character))

    def characters(self, ranges: Ranges) -> Pattern:
        return Characters(characters.fold_case(ranges) if "i" in self.flags else ranges)

    def group(self) -> Pattern:
        outer = self.flags
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.error(f"more than {_DEEPEST} groups inside each other")
        if self.peek() == "?":
            self.at += 1
            if self.peek() in ("=", "!", "<", "P", ">", "("):
                self.at -= 2
                raise self.error("only plain groups and groups with flags are regular")
            while self.peek() != ":":
                flag = self.take()
                if flag not in "aimsux":
                    raise self.error(f"unknown flag {flag}")
                self.flags = self.flags | {flag}
            self.at += 1
        pattern = self.choice()
        if self.peek() != ")":
            raise self.error("missing )")
        self.at += 1
        self.depth -= 1
        self.flags = outer
        return pattern

    def escape(self) -> Ranges:
        character = self.take()
        if character == "0" and self.peek().isdigit():
            raise self.error("an octal number (write \\x and two digits)")
        if character in _CONTROL:
            return characters.literal(_CONTROL[character])
        if character in _NAMED:
            return _NAMED[character]
        if character.lower() in _NAMED:
            return characters.complement(_NAMED[character.lower()])
        if character in _HEX_LENGTH:
            digits = self.text[self.at : self.at + _HEX_LENGTH[character]]
            self.at += len(digits)
            try:
                return characters.literal(chr(int(digits, 16)))
            except (ValueError, OverflowError):
                raise self.error("bad character number") from None
        if character in "pP":
            end = self.text.find("}", self.at)
            if self.peek() != "{" or end < 0:
                raise self.error(f"a character property without braces (write \\{character}{{Lu}})")
            ranges = unicode_property(self.text[self.at + 1 : end])
            if ranges is None:
                raise self.error("unknown character property (known are Unicode's, as Lu, ID_Start or Script=Greek)")
            self.at = end + 1
            return ranges if character == "p" else characters.complement(ranges)
        if character.isalnum():
            self.at -= 1
            raise self.error(f"\\{character} is not regular or not known")
        return characters.literal(character)

    def character_class(self) -> Ranges:
        negated = self.peek() == "^"
        self.at += negated
        members: list[Ranges] = []
        while self.peek() != "]" or not members:
            low = self.class_member()
            after = self.text[self.at + 1 : self.at + 2]
            if self.peek() == "-" and after not in ("]", ""):
                self.at += 1
                high = self.class_member()
                if len(low) != 1 or len(high) != 1 or low[0][0] != low[0][1] or low[0][0] > high[0][0]:
                    raise self.error("bad range of characters")
                low = ((low[0][0], high[0][1]),)
            members.append(low)
        self.at += 1
        ranges = characters.union(*members)
        if "i" in self.flags:
            ranges = characters.fold_case(ranges)
        return characters.complement(ranges) if negated else ranges

    def class_member(self) -> Ranges:
        character = self.take()
        return self.escape() if character == "\\" else characters.literal(character)
