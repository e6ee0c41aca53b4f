function f() { const }
