package p

try { f() } catch {}
