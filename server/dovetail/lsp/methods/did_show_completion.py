"""`textDocument/didShowCompletion`: the editor shows an offered text.

A notification has no answer, so one of another form is only logged.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from dovetail.lsp.acceptance import offer_name

if TYPE_CHECKING:
    from dovetail.lsp.session import Session

logger = logging.getLogger(__name__)


def did_show_completion(session: Session, params: object) -> None:
    """Count the item as shown; the parameters are `{item}`."""
    name = offer_name(params)
    if name is None:
        logger.warning("A notification didShowCompletion was ignored: its parameters are not of the form {item}.")
    else:
        session.offers.show(name)
