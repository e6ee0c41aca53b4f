-- versions: 5.1-luajit
do ; end
