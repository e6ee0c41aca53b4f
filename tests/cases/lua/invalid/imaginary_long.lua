a = 1LLi
