type A = a extends b extends c ? d : e ? f : g
