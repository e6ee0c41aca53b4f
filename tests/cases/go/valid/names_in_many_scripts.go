package p

var größe, имя, 変数, x٣, _ int
var ª, ℵ, 𝒳 = 1, 2, 3
