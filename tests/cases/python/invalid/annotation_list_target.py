[a]: b
