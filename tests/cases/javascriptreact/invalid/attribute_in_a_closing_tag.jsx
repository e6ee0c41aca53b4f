const a = <a></a b>;
