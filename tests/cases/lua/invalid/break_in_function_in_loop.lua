while a do f(function() break end) end
