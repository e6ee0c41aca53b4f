def s():
    def i():
        if x: y
        else:  # a comment
            z
