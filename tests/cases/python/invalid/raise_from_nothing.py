raise from a
