const a = <a>></a>;
