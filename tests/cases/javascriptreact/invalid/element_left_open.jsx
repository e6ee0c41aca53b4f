const a = <a>
