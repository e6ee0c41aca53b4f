static: a;
package: while (1) break package;
yield_: b
