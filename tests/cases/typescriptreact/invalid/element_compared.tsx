const a = <b/> < c;
