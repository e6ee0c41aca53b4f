a<b>(c).d
a?.b<c>(d)
a?.<b>(c)
a<b>`c`
new a.b<c>(d).e
a.b<c>
@a<b>() @c! class D { @e<f>() g; @h static i }
export default @a class {}
