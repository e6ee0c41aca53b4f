"""Known mistake: one of those that a person makes in a way of its own, and that nothing else in a text explains.

Each has a module of its own, which tells it from all others: with what was meant the text fits beyond the fault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.diagnostics.markup.bare_value import find_bare_value
from dovetail.diagnostics.markup.doubled_child import find_doubled_child
from dovetail.diagnostics.markup.doubled_end import find_doubled_end
from dovetail.diagnostics.markup.half_attribute import find_half_attribute
from dovetail.diagnostics.markup.lost_attribute_name import find_lost_attribute_name
from dovetail.diagnostics.markup.lost_branch import find_lost_branch_of_value
from dovetail.diagnostics.markup.lost_condition import find_lost_condition
from dovetail.diagnostics.markup.lost_join import find_lost_join, find_lost_join_below
from dovetail.diagnostics.markup.lost_loop import find_lost_loop
from dovetail.diagnostics.markup.lost_parent import find_lost_parent
from dovetail.diagnostics.markup.lost_sign import find_lost_sign
from dovetail.diagnostics.markup.lost_tag_line import find_lost_tag_line
from dovetail.diagnostics.markup.lost_value import find_lost_value
from dovetail.diagnostics.markup.lost_value_brace import find_lost_value_brace
from dovetail.diagnostics.markup.markup_comment import find_markup_comment
from dovetail.diagnostics.markup.open_attribute import find_open_attribute, find_open_quote
from dovetail.diagnostics.markup.open_brace import find_open_brace
from dovetail.diagnostics.markup.open_element import find_open_element
from dovetail.diagnostics.markup.open_tag import find_open_tag
from dovetail.diagnostics.markup.open_value import find_open_value
from dovetail.diagnostics.markup.statement_value import find_statement_value
from dovetail.diagnostics.markup.strayed_tag import find_strayed_tag
from dovetail.diagnostics.markup.surplus_tag import find_surplus_tag
from dovetail.diagnostics.mistakes.assigned_again import find_assigned_again
from dovetail.diagnostics.mistakes.assigned_key import (
    find_assigned_key,
    find_assigned_keys_before_bracket,
    find_assigned_keys_of_line,
)
from dovetail.diagnostics.mistakes.block_of_keys import find_block_of_keys
from dovetail.diagnostics.mistakes.braced_block import find_braced_block
from dovetail.diagnostics.mistakes.colon_in_call import find_colon_in_call
from dovetail.diagnostics.mistakes.comma_above import find_comma_above, find_comma_above_bracket
from dovetail.diagnostics.mistakes.cut_header import find_cut_header
from dovetail.diagnostics.mistakes.cut_sign import find_cut_sign
from dovetail.diagnostics.mistakes.dashed_name import find_dashed_name
from dovetail.diagnostics.mistakes.dot_for_comma import find_dot_for_comma
from dovetail.diagnostics.mistakes.doubled_opener import find_doubled_opener, find_doubled_opener_above
from dovetail.diagnostics.mistakes.doubled_quote import find_doubled_quote
from dovetail.diagnostics.mistakes.doubled_sign import find_doubled_sign
from dovetail.diagnostics.mistakes.doubled_value import find_doubled_value
from dovetail.diagnostics.mistakes.doubled_word import find_doubled_word
from dovetail.diagnostics.mistakes.early_quote import find_early_quote
from dovetail.diagnostics.mistakes.foreign_block import find_foreign_block
from dovetail.diagnostics.mistakes.foreign_declaration import find_foreign_declaration
from dovetail.diagnostics.mistakes.foreign_form import find_foreign_form
from dovetail.diagnostics.mistakes.form_of_lines import find_form_of_lines
from dovetail.diagnostics.mistakes.half_callback import find_half_callback
from dovetail.diagnostics.mistakes.half_condition import find_half_condition
from dovetail.diagnostics.mistakes.half_header import find_half_header
from dovetail.diagnostics.mistakes.half_type import find_half_type
from dovetail.diagnostics.mistakes.header_above import find_header_above
from dovetail.diagnostics.mistakes.inner_quote import find_inner_quote
from dovetail.diagnostics.mistakes.label_sign import find_label_sign
from dovetail.diagnostics.mistakes.last_statement import find_last_statement
from dovetail.diagnostics.mistakes.long_bracket import find_lost_long_bracket
from dovetail.diagnostics.mistakes.lookalikes import find_lookalike
from dovetail.diagnostics.mistakes.lost_angle import find_lost_angle
from dovetail.diagnostics.mistakes.lost_arrow import find_lost_arrow
from dovetail.diagnostics.mistakes.lost_as import find_lost_as
from dovetail.diagnostics.mistakes.lost_block_end import find_lost_block_end
from dovetail.diagnostics.mistakes.lost_brace import find_lost_brace
from dovetail.diagnostics.mistakes.lost_case import find_lost_case
from dovetail.diagnostics.mistakes.lost_closing_line import find_lost_closing_line
from dovetail.diagnostics.mistakes.lost_comma import find_lost_comma
from dovetail.diagnostics.mistakes.lost_comment import find_lost_comment
from dovetail.diagnostics.mistakes.lost_header_word import find_lost_header_word
from dovetail.diagnostics.mistakes.lost_line_below import find_lost_line_below
from dovetail.diagnostics.mistakes.lost_name import find_lost_name
from dovetail.diagnostics.mistakes.lost_object_brace import find_lost_object_brace
from dovetail.diagnostics.mistakes.lost_question import find_lost_question
from dovetail.diagnostics.mistakes.lost_receiver import find_lost_receiver
from dovetail.diagnostics.mistakes.misspelt_opener import find_misspelt_opener
from dovetail.diagnostics.mistakes.open_angle import find_open_angle
from dovetail.diagnostics.mistakes.open_declaration import find_open_declaration
from dovetail.diagnostics.mistakes.open_field import find_open_field
from dovetail.diagnostics.mistakes.open_loop import find_open_loop
from dovetail.diagnostics.mistakes.open_names import find_open_names
from dovetail.diagnostics.mistakes.open_template import find_open_template
from dovetail.diagnostics.mistakes.outside_loops import find_outside_loops
from dovetail.diagnostics.mistakes.second_colon import find_second_colon
from dovetail.diagnostics.mistakes.second_word import find_second_word
from dovetail.diagnostics.mistakes.spoilt_parameters import find_spoilt_parameters
from dovetail.diagnostics.mistakes.strayed_branch import find_strayed_branch
from dovetail.diagnostics.mistakes.swapped_sign import find_swapped_sign
from dovetail.diagnostics.mistakes.unfinished_line import find_unfinished_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.diagnostics.hint import Hint
    from dovetail.parsing.configuration import Configuration
    from dovetail.quotient.machine import Machine
    from dovetail.quotient.right_side import RightSide

_MOST_ABOVE = 3
"""The most lines above a fault, blank ones with them, on which a form may stand that looks unfinished."""


def find_known_mistake(
    machine: Machine, right: RightSide, read: Sequence[Configuration], text: str, base: int, start: int, offset: int
) -> Hint | None:
    """Return the hint for the first known mistake that explains a fault at an offset of a text; None if none does.

    `read`: the configurations before each character from `base` on. `start`: where the lexeme at the fault begins.
    """
    found = find_lost_comment(right, text, offset)
    found = found or find_doubled_word(right, read, text, base, offset, start)
    found = found or find_second_word(right, text, start, offset)
    found = found or find_second_colon(right, text, start)
    found = found or find_lost_long_bracket(right, text, offset)
    found = found or find_doubled_value(right, text, start)
    found = found or find_doubled_sign(right, text, offset)
    found = found or find_dot_for_comma(right, text, start)
    found = found or find_colon_in_call(right, text, start)
    found = found or find_lost_as(right, text, start)
    found = found or find_assigned_again(right, text, offset)
    found = found or find_lost_receiver(right, text, start)
    found = found or find_open_names(right, text, start)
    found = found or find_outside_loops(right, text, start)
    found = found or find_doubled_opener_above(right, text, offset)
    found = found or find_lost_case(right, text, offset)
    found = found or find_lost_block_end(right, text, start)
    found = found or find_lost_line_below(right, text, offset)
    found = found or find_strayed_branch(right, text, offset)
    found = found or find_open_quote(right, text, offset)
    found = found or find_strayed_tag(right, text, offset)
    found = found or find_surplus_tag(right, text, offset)
    found = found or find_lost_attribute_name(right, text, offset)
    found = found or find_lost_parent(right, text, offset)
    found = found or find_lost_branch_of_value(right, text, offset)
    found = found or find_open_value(right, text, offset)
    found = found or find_lost_value_brace(right, text, offset)
    found = found or find_doubled_child(right, text, offset)
    found = found or find_doubled_end(right, text, offset)
    found = found or find_open_template(right, text, offset)
    found = found or find_open_field(right, text, offset)
    found = found or find_open_loop(right, text, offset)
    found = found or find_cut_sign(right, text, offset)
    found = found or find_lost_question(right, text, offset)
    found = found or find_lost_value(machine, right, text, offset)
    found = found or find_lost_condition(right, text, offset)
    found = found or find_lost_loop(right, text, offset)
    found = found or find_open_attribute(right, text, offset)
    found = found or find_markup_comment(right, text, offset)
    found = found or find_lost_join(right, text, offset)
    found = found or find_open_brace(right, text, offset)
    found = found or find_open_tag(right, text, start, offset)
    found = found or find_lost_tag_line(right, text, offset)
    found = found or find_lost_sign(right, text, offset)
    found = found or find_open_element(right, text, start, offset)
    found = found or find_assigned_key(right, text, offset)
    found = found or find_assigned_keys_before_bracket(right, text, offset)
    if found is None and offset < len(text):
        found = find_lost_closing_line(right, text, offset)
        found = found or find_label_sign(right, text, offset)
        found = found or find_lost_object_brace(right, text, offset)
        found = found or find_block_of_keys(right, text, offset)
        found = found or find_lookalike(right, read[offset - base], text, offset)
        found = found or find_doubled_quote(right, text, offset)
        found = found or find_inner_quote(right, text, start)
        found = found or find_comma_above_bracket(right, text, offset)
        found = found or find_half_callback(right, text, start)
        found = found or find_lost_arrow(right, text, offset)
        found = found or find_half_header(right, text, offset)
        found = found or find_lost_header_word(right, text, start)
        found = found or find_half_type(right, text, offset)
        found = found or find_spoilt_parameters(right, text, start)
        found = found or find_doubled_opener(right, text, start)
        found = found or find_lost_angle(right, text, offset)
        if found is None and (opened := find_open_angle(right, text, start)) is not None:
            # The arguments of a type may be closed, and written as in another language.
            form = find_foreign_form(right, read, text, base, offset, start)
            is_within = form is not None and form.meant is not None and opened.offset < form.meant.start <= offset
            found = form if is_within else opened
        found = found or find_half_attribute(right, text, offset)
        has_words = bool(right.lexer.compiled.mistakes.closed_by)
        # `end if` is not unfinished, and neither is the end of a `try` that the language has not.
        found = found or (None if has_words else find_foreign_block(right, text, offset))
        found = found or find_header_above(right, text, offset, _MOST_ABOVE if has_words else 1)
        if has_words:
            found = found or find_misspelt_opener(right, text, offset)
        found = found or find_open_declaration(machine, right, text, offset)
        found = found or find_cut_header(machine, right, text, offset)
        found = found or find_unfinished_line(machine, right, text, offset)
        found = found or find_braced_block(right, text, offset)
        found = found or find_lost_brace(right, text, start)
        found = found or find_foreign_block(right, text, offset)
        found = found or find_foreign_declaration(right, text, offset)
        found = found or find_assigned_keys_of_line(right, text, offset)
        found = found or find_foreign_form(right, read, text, base, offset, start)
        found = found or find_dashed_name(right, read, text, base, start)
        found = found or find_statement_value(right, text, start)
        found = found or find_bare_value(right, text, offset)
        found = found or find_form_of_lines(right, read, text, base, offset)
        found = found or find_swapped_sign(right, text, offset)
        found = found or find_comma_above(right, text, offset)
        found = found or find_last_statement(right, text, start)
        found = found or find_half_condition(right, text, start if text[start : start + 1].isalnum() else offset)
        found = found or find_lost_name(right, text, start if text.startswith(".", start) else offset)
        found = found or find_lost_comma(right, text, start, offset)
        found = found or find_early_quote(right, text, offset)
        found = found or find_lost_join_below(right, text, offset)
    return found or find_header_above(right, text, offset)
