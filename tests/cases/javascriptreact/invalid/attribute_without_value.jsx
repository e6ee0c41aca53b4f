const a = <a b={}/>;
