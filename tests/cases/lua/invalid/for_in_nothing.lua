for k in do end
