const a = b as C<d> === e && f as C<d> !== g || h as C<d>[] == i;
const j = k as C<d> * l % m, n = o as C<d> ** p, q = r as C<d> ^ s;
const t = "u" in (v as C<d>) && v as C<d> instanceof w, x = y as C<d> > z, aa = ab as C<d> >= ac;
const ad = ae<B> === af, ag = ah<B> * ai, aj = void 0 === ak;
