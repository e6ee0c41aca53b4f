class A[*T: int]: pass
