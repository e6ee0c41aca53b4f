f(): a
