const all = <input type="text" data-id='1' {...rest} disabled value={a < b ? `${c}` : d} icon=<Icon/> xlink:href="#"
  label="a backslash \ and
a line end" />;
