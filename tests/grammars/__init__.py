"""The grammars that come with Dovetail, case by case."""
