x = ur'a'
