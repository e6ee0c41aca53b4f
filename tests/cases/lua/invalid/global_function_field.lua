global function a.f() end
