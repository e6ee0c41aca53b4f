// The worker that asks `go/parser` whether texts are Go. It reads the length of a text in bytes, a line feed and the
// text, again and again, and answers each with a line: `1`, `0 message`, or `? message` where the parser gives up.
package main

import (
	"bufio"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"strings"
)

const depth = "exceeded max nesting depth"

func verdict(text []byte) string {
	_, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err == nil {
		return "1"
	}
	message := strings.ReplaceAll(err.Error(), "\n", " ")
	if strings.Contains(message, depth) {
		return "? " + message
	}
	return "0 " + message
}

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	for {
		var length int
		if _, err := fmt.Fscanf(in, "%d\n", &length); err != nil {
			return
		}
		text := make([]byte, length)
		if _, err := io.ReadFull(in, text); err != nil {
			return
		}
		fmt.Fprintln(out, verdict(text))
		out.Flush()
	}
}
