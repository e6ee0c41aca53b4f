local x = "s"
(f)()
