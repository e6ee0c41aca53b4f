-- versions: 5.1
a = "x\z  
	 y"
