{**a or b}
