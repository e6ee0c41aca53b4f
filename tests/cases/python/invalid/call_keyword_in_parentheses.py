f((a)=b)
