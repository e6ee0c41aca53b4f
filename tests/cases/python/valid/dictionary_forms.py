{}
{a: b}
{a: b,}
{**a}
{a: b, **c, d: e}
{lambda: a: lambda: b}
{a if b else c: d if e else f}
