"""Dovetail: text that fits both sides of the cursor.

>>> import dovetail
>>> language = dovetail.load_language("json")
>>> quotient = language.quotient('{"a": [1, ', "}")
>>> quotient.start.advance("2]").accepting
True
>>> quotient.start.advance("}") is None
True
"""

from dovetail.engine.document import Document
from dovetail.engine.language import Language, load_language
from dovetail.grammar.errors import GrammarError
from dovetail.quotient.quotient import Quotient
from dovetail.quotient.state import State

__all__ = ["Document", "GrammarError", "Language", "Quotient", "State", "load_language"]
