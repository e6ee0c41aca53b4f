// Members that are called by a word that begins a statement, with what ends them.
interface Ended {
  return
  throw // the line ends behind a comment
  yield /* and behind two */ // of them
  if; while /* a comment */; default  ;
  switch, try /* and a comma */, break,
  b
  ?: string;
  yield
  ?: number
  return // the last one
}
interface Last { return
}
enum Only { return // alone
}
enum Valued { while /* a comment */ = 3 }
enum Several { while /* a comment */, other }
class Fields {
  while /* a comment */;
  yield
  ?: number
  throw // the next line follows
  if /* a comment */ = 3;
}
