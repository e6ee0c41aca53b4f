if (a) /re/.test(b)
x = /[/]\/(?<y>z)/gu
return_(/a/)
