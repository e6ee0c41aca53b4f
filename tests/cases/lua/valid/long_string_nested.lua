-- versions: luajit-
a = [[ [[ ]]
