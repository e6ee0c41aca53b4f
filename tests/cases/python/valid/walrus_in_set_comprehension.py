# versions: 3.9-
{a := b for b in c}
