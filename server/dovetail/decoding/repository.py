"""Other files in a prompt: each model's own form for the files of a repository, or comments where it has none.

A prompt shows the other files first, then the file of the cursor. What is shown has to stay in its order from key to
key, or the model reads all of it again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dovetail.decoding.formats import STARTS, Side, Words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dovetail.decoding.formats import Parts, PromptForm

MOST_TOKENS = 512
"""Tokens of other files that a prompt shows at most; more gained nothing in measurements of others."""

SHARE = 4
"""Other files get no more than the window's tokens divided by this."""


@dataclass(frozen=True, slots=True)
class OtherFile:
    """A part of another file."""

    path: str
    """Its path, relative to the folder of the project, with `/`."""
    text: str


@dataclass(frozen=True, slots=True)
class Members:
    """The names that the dot behind a name opens."""

    receiver: str
    names: tuple[str, ...]
    times: tuple[int, ...] = ()
    """The number of times that other files use each of the names behind this receiver; empty where none does."""
    is_whole: bool = True
    """True if the receiver's definition was found; otherwise there are more names than those that are used."""
    signatures: tuple[str, ...] = ()
    """The signature of each of the names (`signature.py`); empty where none is known."""


@dataclass(frozen=True, slots=True)
class ProjectContext:
    """The facts of the project around a text that a prompt can tell."""

    path: str
    """The path of the file, relative to the folder of the project, with `/`."""
    repository: str
    """The name of the project's folder."""
    language: str | None = None
    """The name of the language, for people."""
    comment: str | None = None
    """The sign that begins a comment that goes to the end of its line; None if there is none."""
    files: tuple[OtherFile, ...] = ()
    """Parts of other files, the most useful last."""
    uses: tuple[str, ...] = ()
    """Lines of other files that use names of this one (`project/uses.py`), the most useful first."""
    open_texts: tuple[str, ...] = ()
    workspace_texts: tuple[str, ...] = ()
    """More parts of open documents and of other files, the most useful first. No prompt shows these three: a cache of
    n-grams beside a model reads them (`ngram_cache.py`)."""
    members: tuple[Members, ...] = ()
    """Names that a dot may follow, and the members behind it: no prompt shows them (`member_names.py`)."""

    @property
    def for_prompts(self) -> ProjectContext:
        """The same facts without the texts that no prompt shows."""
        return replace(self, uses=(), open_texts=(), workspace_texts=(), members=())

    @property
    def alone(self) -> ProjectContext:
        """The same facts without any text of other files."""
        return replace(self, files=(), uses=(), open_texts=(), workspace_texts=(), members=())

    def fields(self, file: OtherFile | None = None) -> dict[str, str]:
        """Return the fields of `Words` that are known, for another file or for that of the cursor."""
        known = {
            "repository": self.repository,
            "path": self.path if file is None else file.path,
            "language": self.language,
            "comment": self.comment,
            "text": None if file is None else file.text,
        }
        if file is not None and self.comment is not None:
            known["commented"] = "".join(f"{self.comment} {line}\n" for line in file.text.splitlines())
        return {name: text for name, text in known.items() if text is not None}


@dataclass(frozen=True, slots=True)
class RepositoryForm:
    """The way in which a family of models was shown the files of a repository."""

    formats: frozenset[str]
    """The names of the formats that it belongs to; empty for any."""
    other: Parts
    """Another file."""
    head: Parts = ()
    """The parts before all files."""
    current: Parts = ()
    """The parts before the prompt of the file of the cursor."""
    inner: Parts = ()
    """The parts at the beginning of its text before the cursor."""
    is_inside: bool = False
    """True if other files stand there too, before `inner`, and not before the whole prompt."""
    always: bool = False
    """True if models were trained with this form also where there is no other file."""

    @property
    def is_anyones(self) -> bool:
        """True if it is for models that were trained with no such form."""
        return not self.formats

    def is_known(self, form: PromptForm, specials: Mapping[str, int]) -> bool:
        """Return whether a model has the tokens, and is asked in a format of this form."""
        marks = [part for part in self.head + self.other + self.current if isinstance(part, str)]
        return all(mark in specials for mark in marks) and (not self.formats or form.format.name in self.formats)


_SMALL_WINDOW = 2048
"""Tokens of a window that has no room to spare for other files, unless the model was trained to see them.

The first embedded model, with 1,280 tokens, was not. On lines that use a name of another file the true text cost it 1 %
more bits with the best parts of other files in front, and it was not right more often.
"""

_PATH_AND_TEXT = Words("{path}\n{text}\n")

REPOSITORY_FORMS = (
    RepositoryForm(
        frozenset({"Qwen2.5-Coder"}),
        head=("<|repo_name|>", Words("{repository}\n")),
        other=("<|file_sep|>", _PATH_AND_TEXT),
        current=("<|file_sep|>", Words("{path}\n")),
    ),
    # Models that `dovetail train` has made; the form is that of `model/samples.py`.
    RepositoryForm(
        frozenset({"StarCoder"}),
        other=("<|file|>", Words("{path}\n{text}")),
        current=("<|file|>", Words("{path}\n")),
        always=True,
    ),
    # StarCoder2 was trained with the path inside the text before the cursor.
    RepositoryForm(
        frozenset({"StarCoder"}),
        head=("<repo_name>", Words("{repository}")),
        other=("<file_sep>", _PATH_AND_TEXT),
        current=("<file_sep>",),
        inner=(Words("{path}\n"),),
        always=True,
    ),
    RepositoryForm(
        frozenset({"Mellum"}),
        other=("<filename>", Words("{path}\n{text}\n\n")),
        current=("<filename>", Words("{path}\n")),
        always=True,
    ),
    RepositoryForm(
        frozenset({"CodeGemma"}), other=(_PATH_AND_TEXT, "<|file_separator|>"), current=(Words("{path}\n"),)
    ),
    RepositoryForm(
        frozenset({"DeepSeek-Coder"}),
        other=(Words("#{path}\n{text}\n"),),
        inner=(Words("#{path}\n"),),
        is_inside=True,
    ),
    RepositoryForm(
        frozenset({"Codestral"}),
        other=(Words("+++++ {path}\n{text}\n\n"),),
        inner=(Words("+++++ {path}\n"),),
        is_inside=True,
    ),
    RepositoryForm(frozenset(), other=(Words("{comment} Path: {path}\n{commented}"),), is_inside=True),
)
"""The forms, the last one for all other models."""


@dataclass(frozen=True, slots=True)
class ShownPart:
    """A part of another file that a model has read."""

    path: str
    tokens: int
    """The tokens that it takes, its path included."""


@dataclass(frozen=True, slots=True)
class ProjectTokens:
    """The tokens with which a prompt tells of its project."""

    front: tuple[int, ...] = ()
    """Those at the beginning of the prompt, after a token that starts a text."""
    inner: tuple[int, ...] = ()
    """Those before the text that precedes the cursor."""
    parts: tuple[ShownPart, ...] = ()
    """The parts of other files among them, in their order."""


def show(
    project: ProjectContext | None,
    form: PromptForm,
    specials: Mapping[str, int],
    encode: Callable[[str], list[int]],
    window: int,
) -> ProjectTokens:
    """Return the tokens for the project around a text, in the form of a model with a window of so many tokens.

    Of the other files as many are shown as there is room for, those that come last first.
    """
    if project is None:
        return ProjectTokens()
    known = next(known for known in REPOSITORY_FORMS if known.is_known(form, specials))
    room = 0 if known.is_anyones and window < _SMALL_WINDOW else min(MOST_TOKENS, window // SHARE)
    files: list[int] = []
    parts: list[ShownPart] = []
    for file in reversed(project.files):
        tokens = render(known.other, project.fields(file), specials, encode)
        if tokens and len(files) + len(tokens) <= room:
            files = tokens + files
            parts.insert(0, ShownPart(file.path, len(tokens)))
    if not files and not known.always:
        return ProjectTokens()
    head, current, inner = (
        render(parts, project.fields(), specials, encode) for parts in (known.head, known.current, known.inner)
    )
    if known.is_inside:
        return ProjectTokens((*head, *current), (*files, *inner), tuple(parts))
    return ProjectTokens((*head, *files, *current), tuple(inner), tuple(parts))


def render(
    parts: Parts, fields: Mapping[str, str], specials: Mapping[str, int], encode: Callable[[str], list[int]]
) -> list[int]:
    """Return the tokens of special tokens and words; words of which a field is not known are left out."""
    tokens: list[int] = []
    for part in parts:
        assert not isinstance(part, Side), "the texts are the prompt's"
        if isinstance(part, Words):
            try:
                tokens += encode(part.text.format_map(fields))
            except KeyError:
                continue
        else:
            tokens.append(specials[part])
    return tokens


def starting_tokens(parts: Parts) -> int:
    """Return the number of tokens at the beginning of a prompt that start a text."""
    return next((count for count, part in enumerate(parts) if part not in STARTS), len(parts))
