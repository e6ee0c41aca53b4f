const a = <a>{b; c}</a>;
