with (a) b = c
if (a) with (b) c; else with (d) {}
if (a) function f() {} else function g() {}
if (a) function f() {} else g()
label: function h() {}
var package = require("./package.json"), private = 0755, interface = "\033[1m" + 08.5
