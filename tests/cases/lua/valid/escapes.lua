a = "\a\b\f\n\r\t\v\\\"\'"
