a = class extends b[c].d`e`(f) {};
(class A extends [B][0] {});
(class extends 1 {});
(class extends "A" {});
