a not b
