var a\u{20} = 1
