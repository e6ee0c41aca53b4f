"""The release: its files, their building, and the promises about them."""
