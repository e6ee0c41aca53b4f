let a = <<T>() => void>b
