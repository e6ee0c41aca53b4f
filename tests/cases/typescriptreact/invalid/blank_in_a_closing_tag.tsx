const a = <b>< /b>;
