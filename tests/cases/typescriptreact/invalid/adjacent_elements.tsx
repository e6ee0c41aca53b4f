const a = <b/><c/>;
