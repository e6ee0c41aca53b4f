"""Published figures of others, with their models and data; none of them was measured here.

Melcer et al. 2024 is arXiv 2402.17988, tables I and II, section VII.C and figure 11. SynCode is Ugare et al. 2024,
arXiv 2403.01632, tables 1 to 4.
"""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.evaluation.crossing import Crossing
from dovetail.evaluation.fitting import LinearFit

MELCER = "Melcer et al. 2024"
MELCER_SETUP = "SantaCoder (1.1 billion parameters), 500 tokens, ten cuts of each of 9,539 files of The Stack"

CROSSINGS = {
    "boundary": Crossing((65342, 11), (24833, 94), (490, 4620)),
    "randspan": Crossing((68570, 20), (22952, 112), (563, 3173)),
}
"""Data set → their tables I and II."""


@dataclass(frozen=True, slots=True)
class Failures:
    """The failures of their constrained generation on the boundary data set (section VII.C.1)."""

    disagreements: int
    """The engine took a text for a program, and the interpreter did not."""
    unconnected: int
    """No connection to the right context within the budget."""
    unconstrained_disagreements: int
    unconstrained_unconnected: int
    """The failures where unconstrained generation succeeded."""


FAILURES = Failures(29, 4696, 1, 10)

CHECKED_OVERHEAD = LinearFit(3.7e-4, -0.177, 0.544)
CONSTRAINED_OVERHEAD = LinearFit(9.54e-6, 4.53, 4.22e-3)
"""Milliseconds a token over characters of context, their figure 11 (top)."""

ONE_TIME = LinearFit(0.283, 270.0, 0.729)
"""Milliseconds over characters of context, their figure 11 (bottom)."""


@dataclass(frozen=True, slots=True)
class SynCodeRow:
    """Generated Python that failed for its syntax: how many texts, without and with SynCode."""

    model: str
    kind: str
    humaneval: tuple[int, int]
    mbxp: tuple[int, int]


SYNCODE = "Ugare et al. 2024 (SynCode)"
SYNCODE_SETUP = (
    "temperature 0.2, top p 0.95, 400 tokens, nothing to the right of the cursor; about 3,200 texts for HumanEval "
    "and 900 for MBXP"
)
SYNCODE_ROWS = (
    SynCodeRow("CodeGen-350M", "Syntax", (230, 7), (68, 0)),
    SynCodeRow("CodeGen-350M", "Indentation", (41, 8), (10, 4)),
    SynCodeRow("WizardCoder-1B", "Syntax", (32, 3), (8, 1)),
    SynCodeRow("WizardCoder-1B", "Indentation", (4, 0), (20, 1)),
    SynCodeRow("Llama-7B", "Syntax", (230, 2), (108, 1)),
    SynCodeRow("Llama-7B", "Indentation", (61, 0), (40, 4)),
)

SYNCODE_GO_ROWS = (
    SynCodeRow("CodeGen-350M", "Syntax", (573, 49), (212, 2)),
    SynCodeRow("WizardCoder-1B", "Syntax", (1031, 50), (243, 14)),
    SynCodeRow("Llama-7B", "Syntax", (725, 10), (414, 1)),
)
"""Their table 2: generated Go."""

SYNCODE_OVERHEAD = 1.22
"""Times as long with the constraint as without, with LR(1): the mean of their table 3."""

SYNCODE_PASSED = (
    ("CodeGen-350M", (6.8, 6.9), (3.6, 3.6)),
    ("WizardCoder-1B", (20.0, 20.0), (9.3, 9.5)),
    ("Llama-7B", (11.2, 11.5), (3.8, 4.25)),
)
"""Their table 4: pass@1 on HumanEval in percent, without and with the constraint, in Python and in Go."""
