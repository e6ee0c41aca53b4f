const less = a < b;
const both = <a/> <= b, next = a
  < b;
