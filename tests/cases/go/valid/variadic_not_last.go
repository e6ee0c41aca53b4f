// versions: 1.21-1.24
package p

func f(a ...int, b int) {}
