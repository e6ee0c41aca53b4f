repeat f() end
