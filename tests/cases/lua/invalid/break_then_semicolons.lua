-- versions: 5.1-luajit
while a do break;; end
