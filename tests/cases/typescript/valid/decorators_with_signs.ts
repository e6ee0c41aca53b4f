@a!! class A {}
@a!!!
class B {}
