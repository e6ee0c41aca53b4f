# versions: 3.8-3.11
x = f'''{
a
+ b
!r
}'''
