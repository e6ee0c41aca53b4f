// versions: 1.21-1.26
package p

func (r T) m[P any](x P) {}
