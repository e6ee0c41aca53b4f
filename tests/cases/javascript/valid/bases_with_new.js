a = class extends new B {}
a = class C extends new (d(1)).e[f](g).h {}
