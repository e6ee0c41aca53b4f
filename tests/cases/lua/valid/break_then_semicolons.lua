-- versions: 5.2-
while a do break;; end
