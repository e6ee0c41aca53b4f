"""Tests of the places at which a text does not fit, and of what is said of them."""
