"""From a prompt and a quotient state to a completion."""
