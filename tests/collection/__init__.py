"""Fetching permissively licensed packages to train on."""
