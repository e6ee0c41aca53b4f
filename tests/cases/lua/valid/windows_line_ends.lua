local a = 1
if a then
  f()
end
