"""Token masks: exactly the tokens of a vocabulary by which a state can be advanced."""
