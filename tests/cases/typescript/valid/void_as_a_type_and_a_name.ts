type Events = { sold: string; closed: void; };
interface Sale { closed: void, open?: void; }
class Shelf { closed: void; open?: void; size: void = undefined; readonly end!: void; }
type Ends = [first: void, last: void];
const end = (first: void, last: void): void => first;
class Named { void; }
class Given { void = 1; }
class Typed { void?: void; }
enum Kind { void, other }
label: void end, label;
