"""The losses of a run, step by step, kept in a file beside its checkpoint and drawn as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from dovetail.model.storage import sentence, write_text

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

_NAME = "losses.csv"
_HEAD = "step,seconds,tokens,loss\n"

_WIDTH, _HEIGHT = 860, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 30, 50, 50
_COLUMNS = 600
"""Points of the line: more than a screen shows help nobody."""


class Losses:
    """A file of losses that grows."""

    def __init__(self, folder: Path, step: int) -> None:
        """Go on after a step: what a killed run wrote after its last checkpoint is forgotten."""
        self._folder = folder
        path = folder / _NAME
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)[1:] if path.exists() else []
        kept = [line for line in lines if line.endswith("\n") and int(line.partition(",")[0]) <= step]
        write_text(path, _HEAD + "".join(kept))

    def __enter__(self) -> Self:
        """Open the file."""
        self._file = (self._folder / _NAME).open("a", encoding="utf-8")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        with sentence(self._folder):
            self._file.close()

    def add(self, step: int, seconds: float, tokens: int, loss: float) -> None:
        """Note a step: when it ended, the tokens that it saw, its loss in nats a token."""
        with sentence(self._folder):
            self._file.write(f"{step},{seconds:.2f},{tokens},{loss:.5f}\n")

    def flush(self) -> None:
        """Bring all to the disk."""
        with sentence(self._folder):
            self._file.flush()


def losses_of(folder: Path) -> list[tuple[int, float]]:
    """Return (tokens seen, loss) for each step of a run."""
    points, seen = [], 0
    for line in (folder / _NAME).read_text(encoding="utf-8").splitlines()[1:]:
        _, _, tokens, loss = line.split(",")
        seen += int(tokens)
        points.append((seen, float(loss)))
    return points


def picture(points: list[tuple[int, float]], held_out: float) -> str:
    """Return an SVG of the losses over the tokens seen, each point the mean of its part, with the held-out loss."""
    size = max(1, -(-len(points) // _COLUMNS))
    parts = [points[start : start + size] for start in range(0, len(points), size)]
    means = [(part[-1][0], sum(loss for _, loss in part) / len(part)) for part in parts]
    values = [loss for _, loss in means] + [held_out]
    low, high = int(min(values)), int(max(values)) + 1
    most = means[-1][0]

    def place(tokens: float, loss: float) -> tuple[float, float]:
        return (
            _LEFT + tokens / most * (_WIDTH - _LEFT - _RIGHT),
            _HEIGHT - _BOTTOM - (loss - low) / (high - low) * (_HEIGHT - _TOP - _BOTTOM),
        )

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}">',
        '<g font-family="sans-serif" font-size="12" fill="#343a40">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="26" font-size="16">Loss in nats a token, middles weighted</text>',
    ]
    for loss in range(low, high + 1):
        x, y = place(0, loss)
        lines.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}" stroke="#e9ecef"/>')
        lines.append(f'<text x="{x - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{loss}</text>')
    for quarter in range(5):
        x, y = place(most * quarter / 4, low)
        lines.append(
            f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{most * quarter / 4e6:.3g} M tokens</text>'
        )
    path = " ".join("{:.1f},{:.1f}".format(*place(*point)) for point in means)
    lines.append(f'<polyline points="{path}" fill="none" stroke="#0b6e99" stroke-width="1.5"/>')
    x, y = place(most, held_out)
    lines.append(f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{x:.1f}" y2="{y:.1f}" stroke="#d9480f" stroke-dasharray="4 4"/>')
    label = f"held out, unweighted: {held_out:.2f}"
    lines.append(f'<text x="{x:.1f}" y="{y - 6:.1f}" text-anchor="end" fill="#d9480f">{label}</text>')
    return "\n".join([*lines, "</g>", "</svg>", ""])
