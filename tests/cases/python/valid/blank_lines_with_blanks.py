if a:
    b
  
	
    c
