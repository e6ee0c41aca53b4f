"""Tests of the hosted models."""
