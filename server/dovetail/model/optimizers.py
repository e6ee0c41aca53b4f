"""The optimizers: Muon for the hidden matrices, AdamW for the rest.

Jordan et al., *Muon: An optimizer for hidden layers in neural networks* (2024). A step of Muon turns a matrix in
all directions equally, so it learns more from few tokens; for the embedding and the norms it is not meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from dovetail.model.error import ModelError

if TYPE_CHECKING:
    from dovetail.model.recipe import Recipe


class Optimizers:
    """Both of them, stepped together; gradients are read from the parameters."""

    def __init__(self, model: torch.nn.Module, recipe: Recipe) -> None:
        if not hasattr(torch.optim, "Muon"):
            raise ModelError(f"Training needs torch 2.9, not {torch.__version__}: pip install --upgrade torch.")
        matrices: list[torch.nn.Parameter] = []
        others: list[torch.nn.Parameter] = []
        for name, parameter in model.named_parameters():
            (matrices if parameter.dim() == 2 and ".layers." in name else others).append(parameter)
        self._rates = (recipe.matrix_rate, recipe.learning_rate)
        self._parts: tuple[torch.optim.Optimizer, ...] = (
            torch.optim.Muon(matrices, lr=recipe.matrix_rate, weight_decay=recipe.weight_decay),
            torch.optim.AdamW(others, lr=recipe.learning_rate, betas=(0.9, 0.95), weight_decay=0.0),
        )

    def step(self, rate: float) -> None:
        """Change the weights, at a part of the highest learning rates, and forget the gradients."""
        for part, highest in zip(self._parts, self._rates, strict=True):
            for group in part.param_groups:
                group["lr"] = highest * rate
            part.step()
            part.zero_grad()

    def state_dict(self) -> dict[str, Any]:
        """Return what the next step depends on."""
        return {str(place): part.state_dict() for place, part in enumerate(self._parts)}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `state_dict` returned."""
        for place, part in enumerate(self._parts):
            part.load_state_dict(state[str(place)])
