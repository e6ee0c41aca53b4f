const a = <a>}</a>;
