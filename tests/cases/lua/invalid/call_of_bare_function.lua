function() end()
