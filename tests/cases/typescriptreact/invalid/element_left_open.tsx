const a = <b>;
