const a = <a></a></a>;
