# versions: 3.8
{a := b for b in c}
