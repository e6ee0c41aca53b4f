const a = </* b */ c/>, d = < // b
  c/>;
let e: A</* b */ B>, f = a </* b */ c, g = a < /b/;
const h = <b></ /* c */ b>, i = <b>< // c
  d/></b>;
