"""The option `--model` of commands."""

MODEL_HELP = (
    "a model: a name of `dovetail models`, a GGUF file, a folder, an engine's address such as http://127.0.0.1:8000, "
    "or a name of the Hugging Face hub (default: our own)"
)
"""The help of the option."""
