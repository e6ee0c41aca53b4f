"""Error recovery: broken documents are read with their broken parts left out or mended."""
