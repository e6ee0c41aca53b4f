interface A { const a: b }
