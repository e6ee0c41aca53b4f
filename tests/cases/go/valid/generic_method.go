// versions: 1.27
package p

func (r T) m[P any](x P) {}
