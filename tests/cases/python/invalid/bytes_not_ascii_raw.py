x = rb'é'
