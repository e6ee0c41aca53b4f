"""A few sources, a tokenizer learnt from them, a toy model, the embedded one, and a disk without room."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import torch
from tests.model.exact_proposer import ExactProposer
from tests.model.real_places import TOKENS, cuts, written

from dovetail.model.conversion import convert
from dovetail.model.hosting import load_plain_model
from dovetail.model.publication import publish
from dovetail.model.recipe import PRESETS
from dovetail.model.sources import read_corpus
from dovetail.model.tokenizer import train_tokenizer
from dovetail.model.training import new_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizers import Tokenizer

    from dovetail.decoding.proposer import Proposer
    from dovetail.model.sources import Corpus


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> Iterator[None]:
    """Toy models gain nothing from threads, which wait for one another where the machine is busy."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(name="sources", scope="session")
def _sources() -> Path:
    """Return a folder of a few source files."""
    return Path(sysconfig.get_path("stdlib")) / "json"


@pytest.fixture(name="corpus", scope="session")
def _corpus(sources: Path) -> Corpus:
    return read_corpus([sources])


@pytest.fixture(name="tokenizer", scope="session")
def _tokenizer(corpus: Corpus) -> Tokenizer:
    return train_tokenizer((document.text for document in corpus.training), 512)


@pytest.fixture(name="toy", scope="session")
def _toy(tokenizer: Tokenizer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small model with random weights."""
    torch.manual_seed(7)
    model = new_model(PRESETS["tiny"], tokenizer)
    # Larger than an untrained model's, so that one token is clearly likelier than another.
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter.data, std=0.3) if parameter.dim() > 1 else None
    folder = tmp_path_factory.mktemp("models") / "toy"
    publish(model, tokenizer, folder, "A toy.\n")
    return folder


@pytest.fixture(name="toy_gguf", scope="session")
def _toy_gguf(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the toy as a GGUF file with exact numbers."""
    file = tmp_path_factory.mktemp("gguf") / "toy.gguf"
    convert(toy, file, "f32")
    return file


@pytest.fixture(name="embedded", scope="session")
def _embedded() -> Proposer:
    return load_plain_model()


@pytest.fixture(name="exact", scope="session")
def _exact(embedded: Proposer) -> ExactProposer:
    """Return the embedded model with numbers that depend on the tokens alone."""
    return ExactProposer(embedded)


@pytest.fixture(name="expected", scope="session")
def _expected(exact: ExactProposer) -> list[str | None]:
    """Return the texts of that model in process."""
    return [written(exact, left, right, TOKENS) for left, right in cuts()]


@pytest.fixture(name="full_disk")
def _full_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function after which no file whose name starts so can be written to."""

    def fill(name: str) -> None:
        whole = Path.open

        def half(path: Path, mode: str = "r", *rest: Any, **options: Any) -> Any:
            file = whole(path, mode, *rest, **options)
            if path.name.startswith(name) and mode[0] in "wa":
                file.write(b"half" if "b" in mode else "half")
                file.flush()
                descriptor = os.open("/dev/full", os.O_WRONLY)
                os.dup2(descriptor, file.fileno())  # what is written from now on meets a full device
                os.close(descriptor)
            return file

        monkeypatch.setattr(Path, "open", half)

    return fill
