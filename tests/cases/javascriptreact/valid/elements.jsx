const empty = <div/>;
const fragment = <></>;
const nested = <ul><li>one</li> <li>two</li></ul>;
const names = [<a.b.c/>, <svg:path/>, <my-element></my-element>, <this.part/>];
