repeat until (function() break end)()
