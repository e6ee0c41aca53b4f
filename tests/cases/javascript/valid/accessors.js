a = { get b() {}, set c(d) {}, set e(f,) {}, get, set, get: 1, get() {}, set(g, h) {} };
class A { get
b() {} static get c() {} set d({ e } = {}) {} get get() {} set set(f) {} get get
() {} }
