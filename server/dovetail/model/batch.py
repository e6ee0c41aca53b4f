"""A batch: several texts that a hosted model writes behind one prompt, read as one tree of tokens.

The texts share the cache of the prompt, and of all that they have in common. Behind it the cache holds the tokens of
all texts, in the order in which they were read. A mask lets each token look at the prompt and at its own ancestors
alone, and its position is its depth: tree attention (Miao et al. 2024, *SpecInfer*). So the prompt is kept once,
texts may have unequal lengths, and to fork, to rewind and to drop a text moves nothing in the cache.
"""

from __future__ import annotations

import inspect
import logging
from typing import TYPE_CHECKING

import torch

from dovetail.model.failure import failure_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from transformers import PreTrainedModel

    from dovetail.model.distribution import Distribution
    from dovetail.model.generation import HostedGeneration

logger = logging.getLogger(__name__)

_TRIED = 6
"""Tokens with which a batch is tried out."""

_EXACT, _COARSE = 1e-3, 0.25
"""The most by which log-probabilities differ that were computed in two ways, in float32 and in shorter types."""


class _Node:
    """A token of the tree; the root is the prompt."""

    __slots__ = ("children", "columns", "depth", "distribution", "parent", "token")

    def __init__(self, token: int, parent: _Node | None) -> None:
        self.token = token
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.children: dict[int, _Node] = {}  # token → node
        self.columns: tuple[int, ...] | None = None if parent is not None else ()
        """The places of the tokens from the root to this one behind the prompt's in the cache; None if not read."""
        self.distribution: Distribution | None = None
        """The ranking of the next token; None if it was not computed, or is not kept any more."""

    def child(self, token: int) -> _Node:
        """Return the node of a text with one more token."""
        found = self.children.get(token)
        if found is None:
            found = self.children[token] = _Node(token, self)
        return found


class TokenTree:
    """The tree of all rows."""

    def __init__(self, generation: HostedGeneration) -> None:
        """Begin behind the prompt of a generation, to which nothing may be fed any more."""
        self._generation = generation
        self._rows: list[HostedRow] = []
        self._read = 0
        """The tokens in the cache behind the prompt."""
        self._scored: list[_Node] = []
        """The nodes with a distribution, the root apart."""
        self.root = _Node(-1, None)

    def enter(self, row: HostedRow) -> None:
        """Let the passes read a row."""
        self._rows.append(row)

    def leave(self, row: HostedRow) -> None:
        """Read no more of a row."""
        self._rows.remove(row)

    def distribution(self, node: _Node) -> Distribution:
        """Return what comes after the text of a node; reads what is new of all rows if that is not known."""
        if node.distribution is None:
            self._pass(node)
        assert node.distribution is not None
        return node.distribution

    def _pass(self, wanted: _Node) -> None:
        root = self.root
        if root.distribution is None:
            root.distribution = self._generation.distribution()
            if wanted is root:
                return
        nodes = self._unread(wanted)
        for place, node in enumerate(nodes, self._read):
            assert node.parent is not None, "the root is read"
            assert node.parent.columns is not None, "nodes are read from the root on"
            node.columns = (*node.parent.columns, place)
        self._read += len(nodes)
        mask = torch.full((len(nodes), self._read), -torch.inf)  # (new tokens, tokens behind the prompt)
        lines = [line for line, node in enumerate(nodes) for _ in node.columns or ()]
        mask[lines, [column for node in nodes for column in node.columns or ()]] = 0
        found = self._generation.read_beside([node.token for node in nodes], [node.depth for node in nodes], mask)
        for node, distribution in zip(nodes, found, strict=True):
            node.distribution = distribution
        self._release(self._scored + nodes)

    def _unread(self, wanted: _Node) -> list[_Node]:
        """Return what has to be read, each node behind its parent."""
        nodes: dict[_Node, None] = {}
        if wanted.columns is not None:
            nodes[wanted] = None  # it was read, and its distribution was not kept
        for row in self._rows:
            for end in row.ends():
                missing: list[_Node] = []
                node: _Node | None = end
                while node is not None and node.columns is None and node not in nodes:
                    missing.append(node)
                    node = node.parent
                nodes.update(dict.fromkeys(reversed(missing)))
        return list(nodes)

    def _release(self, scored: list[_Node]) -> None:
        """Let go of the distributions at which no row stands and which none may reach: they are large."""
        standing = {row.node for row in self._rows} - {self.root}
        self._scored = []
        for node in scored:
            place: _Node | None = node
            while place is not None and place not in standing:
                place = place.parent
            if place is None:
                node.distribution = None
            else:
                self._scored.append(node)


class HostedRow:
    """One text of a batch."""

    def __init__(self, batch: TokenTree, node: _Node | None = None) -> None:
        """Begin with the text of a node, by default with the empty one."""
        self.node = batch.root if node is None else node
        self._batch = batch
        self._drafted = self.node
        """The end of the last draft, or some node that is read."""
        batch.enter(self)

    @property
    def known(self) -> bool:
        """True if the proposals for the next token are known without a forward pass."""
        return self.node.distribution is not None

    def fork(self) -> HostedRow:
        """Return another row with the same tokens."""
        return HostedRow(self._batch, self.node)

    def drop(self) -> None:
        """End the row: no pass reads it."""
        self._batch.leave(self)

    def ends(self) -> tuple[_Node, _Node]:
        """Return the nodes up to which the row wants to be read: its text, and its draft."""
        return self.node, self._drafted

    def ranked(self, count: int) -> list[tuple[int, float]]:
        """Return the `count` likeliest next tokens with their natural log-probabilities, likeliest first."""
        return self._batch.distribution(self.node).ranked(count)

    def nucleus(self, temperature: float, top_p: float) -> list[tuple[int, float]]:
        """Return the fewest likeliest tokens that have the probability `top_p`, with log-probabilities at it."""
        return self._batch.distribution(self.node).nucleus(temperature, top_p)

    def scores(self, tokens: Sequence[int]) -> list[float]:
        """Return the natural log-probabilities of some next tokens; minus infinity for what means nothing."""
        return self._batch.distribution(self.node).scores(tokens)

    def ending(self) -> float:
        """Return the natural log-probability that the text ends here."""
        return self._batch.distribution(self.node).ending()

    def feed(self, token: int) -> None:
        """Append a token to the text; it is read in the next pass."""
        self.node = self.node.child(token)

    def rewind(self, count: int) -> None:
        """Take back the last `count` tokens that were fed."""
        for _ in range(count):
            assert self.node.parent is not None, "only what was fed is taken back"
            self.node = self.node.parent

    def start(self, draft: Sequence[int] = ()) -> None:
        """Have the next pass read a draft of the tokens to come; other rows may still have something for that pass."""
        self._drafted = self.node
        for token in draft:
            self._drafted = self._drafted.child(token)


def can_batch(model: PreTrainedModel, window: int, begin: Callable[[Sequence[int]], HostedGeneration]) -> bool:
    """Return whether a model reads trees: it takes masks and positions, and gives the numbers of single texts.

    `window`: the longest text. `begin` begins a generation behind a prompt. Not every kind of model takes a mask as it
    is meant, so a small tree is tried out.
    """
    accepted = inspect.signature(type(model).forward).parameters
    if not {"attention_mask", "position_ids", "past_key_values"} <= set(accepted):
        return False
    sliding = getattr(model.config, "sliding_window", None)
    if sliding is not None and sliding < window:
        return False  # one mask stands for all layers
    try:
        return _is_exact(model, begin)
    except Exception as error:  # models of some kinds fail with a mask of this form, each in its own way
        if failure_of(error) is not None:
            raise
        logger.info("The model cannot write several texts in one pass.", exc_info=True)
        return False


def _is_exact(model: PreTrainedModel, begin: Callable[[Sequence[int]], HostedGeneration]) -> bool:
    """Return whether two texts of unequal length have the numbers in a batch that they have alone."""
    alone = begin([0])
    tokens = [token for token, _ in alone.ranked(_TRIED)]
    if len(tokens) < _TRIED:
        return False
    prompt, texts = tokens[:3], (tokens[3:4], tokens[4:6])
    first = HostedRow(TokenTree(begin(prompt)))
    rows = [first, first.fork()]
    for row, text in zip(rows, texts, strict=True):
        for token in text:
            row.feed(token)
    tolerance = _EXACT if model.dtype is torch.float32 else _COARSE
    for row, text in zip(rows, texts, strict=True):
        found, expected = row.scores(tokens), begin([*prompt, *text]).scores(tokens)
        if not all(abs(one - other) < tolerance for one, other in zip(found, expected, strict=True)):
            return False
    return True
