package p

import "fmt"

func main() {
	fmt.Println("hello, world")
}
