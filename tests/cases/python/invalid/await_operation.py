await -a
