const a = <b/>
< c;
