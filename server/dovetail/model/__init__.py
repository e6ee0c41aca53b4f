"""Hosted language models; the only place that imports torch and transformers."""
