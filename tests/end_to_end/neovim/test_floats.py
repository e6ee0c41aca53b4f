"""Floating windows of the plugin in a real Neovim: what they hold, and how long they stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.end_to_end.neovim.gap import at_the_gap

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.end_to_end.neovim.editor import Editor


def test_a_short_answer_closes_the_float_of_the_one_before(start: Callable[..., Editor]) -> None:
    """Two answers to different questions do not stand on the screen at once."""
    editor = start()
    at_the_gap(editor)
    editor.keys("<Esc>")
    editor.wait(lambda: editor.lua("return require('dovetail').status()") == "Dovetail ✓")
    editor.command("set columns=60")
    editor.command("Dovetail explain")
    editor.wait(lambda: editor.floats() != "")

    editor.command("Dovetail status")

    editor.wait(lambda: "is ready" in editor.messages())
    editor.wait(lambda: editor.floats() == "")


def test_a_float_breaks_its_lines_at_blanks_alone(start: Callable[..., Editor]) -> None:
    """A command such as `:Dovetail why` stays whole where it ends a line, and nothing of the text is lost."""
    editor = start()
    text = " ".join(f"{'x' * length} `:Dovetail why`" for length in range(80)) + " ends."

    editor.lua("require('dovetail.notice').tell(...)", text)

    assert editor.wait(editor.floats) == text
