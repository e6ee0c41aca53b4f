type A = { readonly set
  b }