a is not not b
