class A extends <b/> {}
