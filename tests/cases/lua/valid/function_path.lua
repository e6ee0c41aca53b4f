function a.b.c:d(e) end
