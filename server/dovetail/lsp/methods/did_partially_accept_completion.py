"""`textDocument/didPartiallyAcceptCompletion`: the user accepted a part of an offered text.

A notification has no answer, so one of another form is only logged.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from dovetail.lsp.acceptance import offer_name

if TYPE_CHECKING:
    from dovetail.lsp.session import Session

logger = logging.getLogger(__name__)


def did_partially_accept_completion(session: Session, params: object) -> None:
    """Count the accepted part of an item; the parameters are `{item, acceptedLength}`.

    The length counts all accepted characters of the item so far, in UTF-16 code units.
    """
    name = offer_name(params)
    length = params.get("acceptedLength") if isinstance(params, dict) else None
    if name is None or not isinstance(length, int) or isinstance(length, bool) or length < 0:
        logger.warning(
            "A notification didPartiallyAcceptCompletion was ignored: "
            "its parameters are not of the form {item, acceptedLength}."
        )
    else:
        session.offers.accept_part(name, length)
