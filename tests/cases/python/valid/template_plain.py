# versions: 3.14-
x = t'a{b}c' T"{a!r:>{b}}" rt'\{a}' tR"{a=}" t'''{
a
}''' Tr"""{a:"}"""
