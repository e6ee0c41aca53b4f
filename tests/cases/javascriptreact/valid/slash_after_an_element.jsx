const half = <a></a> / 2;
