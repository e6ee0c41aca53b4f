"""Mistakes that people make in a language: what messages about them need, and no grammar shows."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from dovetail.grammar.errors import GrammarError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_KEYS = {
    "meant",
    "forms",
    "forms_of_dialects",
    "closed_by",
    "goes_on",
    "last",
    "newer",
    "statements",
    "values",
    "declares",
    "types",
    "between",
    "rare",
    "receivers",
    "elements",
    "function_words",
    "functions",
    "whole",
    "names",
    "inside",
    "behind_names",
    "labels_with",
}
_ENTRIES = {
    "newer": ("version", "words", "pattern"),
    "forms": ("pattern", "write"),
    "forms_of_dialects": ("pattern", "write"),
    "function_words": ("words", "kind", "message"),
}
"""List of entries → the keys that each has to have."""

_WORDS = ("last", "statements", "values", "declares", "types", "between")
"""The lists of words."""
_WORD = re.compile(r"[^\W\d]\w*")
_TAGS = ("open", "begun", "close")
_NAMES = ("camel", "snake")
"""The ways in which names of several words are written."""
_FUNCTIONS = ("bodies", "heads", "names")


@dataclass(frozen=True, slots=True)
class NewerForm:
    """A form that some version of the language brought."""

    version: str
    words: str
    """The words of a message, up to the version: "`match` needs"."""
    pattern: str
    """A regular expression for the part of a line in which older versions find a mistake."""


@dataclass(frozen=True, slots=True)
class ForeignForm:
    """A form of other languages."""

    pattern: str
    """A regular expression for it."""
    write: str
    """The form that means the same here, as a template for the match; empty for nothing."""
    words: str = ""
    """The mistake in words; empty for "does not fit here"."""
    or_write: str = ""
    """Another form that may be meant, as a template, which the message names too; empty for none."""
    where: str = ""
    """A regular expression, as a template for the match, that has to be found in the text; empty for none."""
    needs: str = ""
    """A text that has to fit where the form begins, as one that only types can be; empty for none."""
    is_above: bool = False
    """True for the header of a block that may be read on, so that the text stops fitting below its line."""
    is_braced: bool = False
    """True for the header of a block in braces, up to the brace: with the brace, what closes it is left out."""
    is_complete: bool = False
    """True if `words` are the whole message, which does not say what is written for the form."""
    is_whole: bool = False
    """True for the header of a declaration that is left out, up to what closes the bracket that the header ends with.

    `words` says all of it, and `write` the header of what means the same here, if anything does."""
    ends: str = ""
    """Of a declaration that is left out, a regular expression for what ends it, on any line; empty for a bracket."""
    is_block: bool = False
    """True for the first header of a block that this language has nothing for, up to its bracket if it has one.

    The headers and what closes them are left out, and with `is_whole` what stands inside, too. `words` says all of it.
    """
    in_tag: bool = False
    """True for a form of the attributes in the tags of elements, where no other form is looked for."""
    parts: str = ""
    """Of a block, a regular expression for its further headers: of one in brackets, from the closing bracket before
    such a header to its own bracket, and the block has at least one; of one without, for a line in its column."""


@dataclass(frozen=True, slots=True)
class FunctionWords:
    """Words that stand only in functions of one kind."""

    words: tuple[str, ...]
    """Their terminals, by name or by text."""
    kind: str
    """A regular expression that is found in the heads of functions of that kind."""
    message: str
    """The mistake in words."""
    remedy: str = ""
    """The words for what to write, which follow the message; `{head}` in them stands for the head of the function."""
    never: str = ""
    """A regular expression for heads of functions that cannot be of that kind; empty for none."""
    outside: str = ""
    """The mistake in words where they stand outside of all functions; empty where they may."""


@dataclass(frozen=True, slots=True)
class Mistakes:
    """The part of a language's description that is about mistakes."""

    meant: Mapping[str, str] = field(default_factory=dict)
    """Words and signs of other languages → what means the same here; empty for what is to be left out."""
    forms: tuple[ForeignForm, ...] = ()
    """Forms of other languages. Those of dialects, which a language built upon this one may have as its own, are first.
    """
    closed_by: Mapping[str, str] = field(default_factory=dict)
    """Words that open something → the word that closes it."""
    goes_on: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Words that go on with what one of these words opened. They open nothing then."""
    last: tuple[str, ...] = ()
    """Words that begin a statement after which its block has no other."""
    statements: tuple[str, ...] = ()
    """Words that began statements of an older version, and are names now."""
    values: tuple[str, ...] = ()
    """Words that are values, here or in a language that is easily taken for this one, as `null`."""
    declares: tuple[str, ...] = ()
    """Words before the name of a new variable."""
    types: tuple[str, ...] = ()
    """Words that stand before the name of a parameter in other languages."""
    between: tuple[str, ...] = ()
    """Words that stand between two others, as `in`, so that one of them may be lost within a line."""
    receivers: tuple[str, ...] = ()
    """Names that get no value: their members do, and are called."""
    rare: tuple[str, ...] = ()
    """Names of what begins a rare form, which a message names only where nothing else is expected."""
    whole: str = ""
    """Words for what follows a text that is complete; empty for none."""
    names: str = ""
    """The way in which names of several words are written: `isOpen` ("camel") or `is_open` ("snake"); empty for any."""
    newer: tuple[NewerForm, ...] = ()
    elements: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of a markup: the terminals that `open` a tag, at which its content has `begun`, and that `close` an element."""
    functions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The rules and terminals that are `heads` of functions, and those that are their `bodies` or begin them, in a rule
    that has both; the rules in which such words are `names`. Of a template, the part before its arguments."""
    function_words: tuple[FunctionWords, ...] = ()
    behind_names: str = ""
    """A regular expression for what stands behind such a word where it may be a name; empty where it is none."""
    labels_with: Mapping[str, str] = field(default_factory=dict)
    """Words of headers, as `select` → a regular expression for what each label below them holds, and no other does."""
    inside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Terminals, by name → the rules inside of which alone they stand, where the grammar lets them stand elsewhere."""

    def plain(self) -> dict[str, Any]:
        """Return the values as dicts, lists and strings."""
        return asdict(self)


def mistakes_of(data: Mapping[str, Any]) -> Mistakes:
    """Return what `Mistakes.plain` made; raise KeyError or TypeError for other values."""
    return Mistakes(
        meant=dict(data.get("meant", {})),
        forms=tuple(ForeignForm(**each) for each in (*data.get("forms_of_dialects", ()), *data.get("forms", ()))),
        closed_by=dict(data.get("closed_by", {})),
        goes_on={word: tuple(words) for word, words in data.get("goes_on", {}).items()},
        last=tuple(data.get("last", ())),
        statements=tuple(data.get("statements", ())),
        values=tuple(data.get("values", ())),
        declares=tuple(data.get("declares", ())),
        types=tuple(data.get("types", ())),
        between=tuple(data.get("between", ())),
        receivers=tuple(data.get("receivers", ())),
        rare=tuple(data.get("rare", ())),
        whole=data.get("whole", ""),
        names=data.get("names", ""),
        newer=tuple(NewerForm(each["version"], each["words"], each["pattern"]) for each in data.get("newer", ())),
        elements={name: tuple(terminals) for name, terminals in data.get("elements", {}).items()},
        functions={name: tuple(parts) for name, parts in data.get("functions", {}).items()},
        function_words=tuple(
            FunctionWords(**{**each, "words": tuple(each["words"])}) for each in data.get("function_words", ())
        ),
        behind_names=data.get("behind_names", ""),
        labels_with=dict(data.get("labels_with", {})),
        inside={terminal: tuple(rules) for terminal, rules in data.get("inside", {}).items()},
    )


def read_mistakes(path: Path, header: Mapping[str, Any]) -> Mistakes:
    """Return the mistakes of a description as TOML has it; `path` is its file, for messages.

    Raises GrammarError for an unknown key, a missing one, and a pattern that is no regular expression.
    """
    table = header.get("mistakes", {})
    for key in sorted(set(table) - _KEYS):
        raise GrammarError(f"{path}: [mistakes] has the unknown key `{key}`; known are {', '.join(sorted(_KEYS))}.")
    for name, keys in _ENTRIES.items():
        for key in keys:
            if any(key not in entry for entry in table.get(name, ())):
                raise GrammarError(f"{path}: [[mistakes.{name}]] lacks `{key}`; add it.")
    for name in _WORDS:
        words = table.get(name, [])
        if not isinstance(words, list) or not all(isinstance(word, str) and _WORD.fullmatch(word) for word in words):
            raise GrammarError(f"{path}: [mistakes] has `{name}` = {words!r}; write a list of words, as in ['word'].")
    found = mistakes_of(table)
    if found.elements and sorted(found.elements) != sorted(_TAGS):
        raise GrammarError(f"{path}: [mistakes.elements] has to have the keys {', '.join(_TAGS)}, and no others.")
    if found.names not in ("", *_NAMES):
        raise GrammarError(f"{path}: [mistakes] has `names` = {found.names!r}; write one of {', '.join(_NAMES)}.")
    for newer in found.newer:
        if newer.version not in header.get("versions", ()):
            raise GrammarError(f"{path}: [[mistakes.newer]] names version {newer.version}; name one of `versions`.")
        _check_pattern(path, newer.words, newer.pattern)
    if found.function_words and sorted(found.functions) != sorted(_FUNCTIONS):
        raise GrammarError(f"{path}: [mistakes.functions] has to have the keys {', '.join(_FUNCTIONS)}, and no others.")
    _check_pattern(path, "behind_names", found.behind_names)
    for word, pattern in found.labels_with.items():
        _check_pattern(path, word, pattern)
    for words in found.function_words:
        _check_pattern(path, words.message, words.kind)
        _check_pattern(path, words.message, words.never)
    for form in found.forms:
        _check_pattern(path, form.write, form.pattern, form.write)
        _check_pattern(path, form.or_write, form.pattern, form.or_write)
        _check_pattern(path, form.words, form.parts)
        _check_pattern(path, form.words, form.ends)
        _check_pattern(path, form.words or form.write, re.sub(r"\\[1-9]", "x", form.where))
        keys = ("is_braced", "is_complete", "is_whole", "is_block")
        key = next((key for key in keys if getattr(form, key)), None)
        if key is not None and not form.words:
            raise GrammarError(f"{path}: a form with `{key}` lacks `words`; add what a message says of it.")
    return found


def _check_pattern(path: Path, words: str, pattern: str, template: str = "") -> None:
    """Raise GrammarError if a pattern is no regular expression, or a template does not go with it."""
    try:
        # The template is read too, though there is nothing to put into it.
        re.sub(pattern, template, "")
    except re.error as error:
        raise GrammarError(f"{path}: `pattern` of {words!r} is no regular expression: {error}.") from None


NO_MISTAKES = Mistakes()
"""Those of a language whose description has none."""
