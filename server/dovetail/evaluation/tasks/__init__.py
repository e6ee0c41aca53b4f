"""Tasks in the form of HumanEval and MBXP: functions that a model writes from their headers, and tests of them."""
