for k, v in next, {}, nil do end
