package p

var _ = []complex128{0i, 0123i, 089i, 0o123i, 0xabci, 0.i, 2.71828i, 1.e+0i, 1E6i, .25i, 0x1p-2i, 0b101i, 1_0i}
