const first = () => {}
(second)
const third = async (a) => { return a }
[fourth].map(third)
const fifth = a => {}
/sixth/.test(a)
const seventh = () => {}
`eighth`
f(() => {
}, () => {}
, 1)
const ninth = a ? () => {}
  : b
