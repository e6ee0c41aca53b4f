package p

var x = '''
