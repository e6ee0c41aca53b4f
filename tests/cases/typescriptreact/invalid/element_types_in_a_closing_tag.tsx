const a = <Select<string>></Select<string>>;
