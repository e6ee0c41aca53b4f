import a = required("b")
