const a = \u000a
