while a and b do f() end
