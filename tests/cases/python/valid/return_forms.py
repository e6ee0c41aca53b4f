return
return a
return a, b
return *a, b
return (yield)
