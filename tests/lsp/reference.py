"""Positions and edits the slow way, one character at a time: what the line index is compared with."""

from __future__ import annotations

UNIT = {"utf-8": 1, "utf-16": 2, "utf-32": 4}  # encoding -> bytes in a code unit


def units(text: str, encoding: str) -> int:
    """Return how many code units a text has, as Python's own encoder writes it."""
    codec = encoding if encoding == "utf-8" else f"{encoding}-le"
    return len(text.encode(codec, "surrogatepass")) // UNIT[encoding]


def position(text: str, offset: int, encoding: str) -> tuple[int, int]:
    """Return the line and column of an offset that does not lie inside a line end."""
    line = begin = 0
    for index in range(offset):
        if text[index] == "\n" or (text[index] == "\r" and text[index : index + 2] != "\r\n"):
            line, begin = line + 1, index + 1
    return line, units(text[begin:offset], encoding)


def splits_line_end(text: str, offset: int) -> bool:
    """Return whether an offset lies inside a line end of two characters, where there is no position."""
    return text[max(offset - 1, 0) : offset + 1] == "\r\n"
