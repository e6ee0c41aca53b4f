a.match.case.type._
