-- versions: luajit-
a = "x\z  
	 y"
