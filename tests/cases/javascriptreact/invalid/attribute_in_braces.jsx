const a = <a {b}/>;
