const e = <b/> > c;
const f = <b/> << c, g = <b/> <= c, h = <b/> ** c, i = c ** <b/>;
const j = <b/> as A, k = <b/> satisfies A | B, l = <b/> | c, m = c | <b/>;
const n = <b/> ? <b/> : c || <b/>;
const o = <b/> as A | B > c, p = <b/>
  + c
const q = (<b/>).c, r = (<b/>) < c, s = <b/> && c < d;
<b/>
c
export default <b/>;
