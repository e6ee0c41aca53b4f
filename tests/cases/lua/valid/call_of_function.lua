(function() end)()
