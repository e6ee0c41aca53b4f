const a = <a/><b/>;
