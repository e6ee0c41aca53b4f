"""The option `--model` of commands."""

_WAYS = (
    "a model: a name of `dovetail models`, a GGUF file, a folder, an engine's address such as http://127.0.0.1:8000, "
    "or a name of the Hugging Face hub"
)
_OTHERWISE = "(default: our own)"

MODEL_HELP = f"{_WAYS} {_OTHERWISE}"
"""The help of the option."""

SERVED_MODEL_HELP = f"{_WAYS}; what lies in this folder is written ./NAME {_OTHERWISE}"
"""The same for the server. It runs in folders of others, so a plain name is never that of something there."""
