package p

var _ = []int{0, 7, 00, 017, 0_1_7, 0o17, 0O1_7, 0b101, 0B1_0, 0b_1, 0x1F, 0X_dead_Beef, 1_000_000}
