(f or g)(1)
