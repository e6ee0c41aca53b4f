import a = require("b")
export import c = require('d')
const require = e, { f } = require("g").h
require.resolve("i"); j.require
