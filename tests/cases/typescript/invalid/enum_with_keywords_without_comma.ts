enum A { if class }
