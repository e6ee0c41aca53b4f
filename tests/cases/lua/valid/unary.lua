a = - - b + not not #c - -d
