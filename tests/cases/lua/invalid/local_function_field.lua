local function a.f() end
