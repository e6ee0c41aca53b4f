x = class extends B { a() {} }
y
