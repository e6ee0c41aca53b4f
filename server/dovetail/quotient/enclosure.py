"""The enclosure of a place: the brackets, strings and blocks that are open around it.

Whatever stands between a beginning and an end of its own is an enclosure, and all of them count alike:

- a mode: in the description of a language, brackets, formatted strings, their replacement fields, and templates push
  modes on the lexer's stack;
- a bracket of a grammar whose modes do not count it, as those of JSON: it is found in the productions
  (`parsing.brackets`);
- a lexeme that goes on until its own end comes, as a string or a block comment: it is found in the lexer's automaton
  (`Lexer.is_delimited`).

A place between the quotes of `f"{a}"` that closes after `{a` is therefore as deep in enclosures as one in brackets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer
    from dovetail.parsing.brackets import Brackets
    from dovetail.parsing.configuration import Configuration
    from dovetail.parsing.stack import Stacks
    from dovetail.quotient.right_side import RightSide


class Enclosure(NamedTuple):
    """The open brackets and strings and the block around a place. A pending lexeme that may end counts as ended.

    In a language whose brackets make blocks, columns are numbers of open blocks. A block that was opened on the line
    itself does not count yet: it begins with the next line.
    """

    depth: int
    """The number of open brackets, replacement fields and strings."""
    column: int
    """The column of the innermost block, with tab stops; 0 in a language without layout and blocks."""
    blank: int | None
    """The width of a line that has only blanks so far; None after its first content.

    In a language whose brackets make blocks it is `column`, and None where `inner` is not 0.
    """
    opens: bool = False
    """True if the line above opened the innermost block that `column` counts, and nothing is in it yet."""
    counted: bool = False
    """True if `column` is a number of blocks that brackets make."""
    inner: int = 0
    """Those of `depth` that stand in the innermost block: 0 where statements stand, as in a function in a call."""


def find_enclosure(right: RightSide, configuration: Configuration, *, blank: bool = False) -> Enclosure:
    """Return the enclosure of the place that a configuration has read up to.

    `blank`: in a language without layout, whether the line has only blanks so far.
    """
    lexer, brackets = right.lexer, right.machine.brackets
    heads, state = configuration
    stack, indents, line = state.stack, state.indents, state.line
    depth = 0
    if state.at != START:
        if not state.rest:
            ended = lexer.ended_as(state, state.accepted)
            if ended is not None:
                # On a line without content the pending lexeme is a comment or a line end.
                stack, line = ended[0].stack, ended[0].line
                if brackets.counts and ended[1]:
                    # Whether a bracket opens a block is known once the parser has seen it.
                    heads = right.stacks.shift_all(heads, ended[1]) or heads
        if lexer.is_delimited(state):
            depth += 1
            blank = False
        elif state.rest and (settled := lexer.settle(state)) is not None:
            # It may come to nothing, as `return ` that might end with its line.
            stack = settled[0].stack
            if brackets.counts and settled[1]:
                heads = right.stacks.shift_all(heads, settled[1]) or heads
    inner, blocks = depth, 0
    held: tuple[int, ...] = (0,)
    if brackets.counts and heads:
        opened = brackets.opened(heads[0], right.opened)
        depth, blocks, held = depth + opened.brackets, opened.blocks, opened.held
    entries = lexer.modes.entries
    below = entries[stack][1]
    while below >= 0:
        depth, below = depth + 1, entries[below][1]
    if brackets.has_blocks:
        opens = bool(heads) and brackets.opens_block(heads[0].state)
        if opens and not blank:
            outer = held[-2] if len(held) > 1 else 0
            return Enclosure(depth, blocks - 1, None, counted=True, inner=inner + outer)
        inner += held[-1]
        return Enclosure(depth, blocks, blocks if blank and not inner else None, opens, counted=True, inner=inner)
    width = None if line is None else line.width()[0]
    # The block around a text whose beginning is unknown counts as the margin. Blocks made by columns are in no bracket.
    return Enclosure(depth, max(lexer.blocks.entries[indents][0][0], 0), width, inner=depth)


def opens_block(lexer: Lexer, brackets: Brackets, stacks: Stacks, configuration: Configuration) -> bool:
    """Return whether the text read so far lets a block begin on the next line with content."""
    layout = lexer.compiled.layout
    settled = lexer.settle(configuration.lexer)
    if settled is None or (layout is None and not brackets.has_blocks):
        return False
    after, emissions = settled
    heads = stacks.shift_all(configuration.heads, emissions)
    if layout is None:
        return bool(heads) and brackets.opens_block(heads[0].state)
    if after.line is None:
        if not lexer.modes.in_layout(after.stack):
            return False
        heads = stacks.shift(heads, layout.newline) if heads else ()
    column = lexer.blocks.entries[after.indents][0]
    return bool(heads) and bool(stacks.shift(heads, layout.indent, (column[0] + 1, column[1] + 1)))
