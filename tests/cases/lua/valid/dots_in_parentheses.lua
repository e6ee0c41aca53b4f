local a = (...)
