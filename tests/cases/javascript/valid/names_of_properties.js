x = { if: 1, class: 2, function() {}, get a() {}, set: 1, async, get, "b"() {}, [c]: d, async *e() {} }
x.delete.if
