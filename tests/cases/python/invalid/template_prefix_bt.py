x = bt'a'
