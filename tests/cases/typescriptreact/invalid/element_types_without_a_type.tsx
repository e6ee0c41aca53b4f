const a = <Select<> />;
