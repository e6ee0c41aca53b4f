const a = <></a>;
