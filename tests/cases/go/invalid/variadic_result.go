// versions: 1.25-
package p

func f() (a ...int) {}
