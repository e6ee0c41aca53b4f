a function() {}
