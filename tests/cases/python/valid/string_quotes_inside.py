x = "it's" 'a"b' 'a\'b' "a\"b" '''a'b''c''' """a"b""c"""
