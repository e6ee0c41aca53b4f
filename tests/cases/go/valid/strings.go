package p

var _ = []string{"", "\n", "\"", "Hello, 世界", "日\u672c\U00008a9e", "\xff\u00FF", "'", `abc`, `\n
\n"`, ``}
