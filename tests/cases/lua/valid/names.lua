_, a1, _G, And, END = 1
