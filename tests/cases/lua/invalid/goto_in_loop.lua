-- versions: 5.1
for i = 1, 3 do if i == 2 then goto continue end f(i) ::continue:: end
