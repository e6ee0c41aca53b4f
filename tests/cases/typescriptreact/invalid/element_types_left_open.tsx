const a = <Select<string value="b" />;
