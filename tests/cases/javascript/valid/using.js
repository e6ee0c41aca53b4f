{
  using first = open(), second = open()
  await using third = first;
  for (using each of all) each.use();
  for (await using each of all) using(each)
}
let a = using
using = a
