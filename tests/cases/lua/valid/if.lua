if a then b() elseif c then d() elseif e then else f() end
