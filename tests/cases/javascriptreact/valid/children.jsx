const text = (
  <p title="it's">
    It's {name}, &amp; more: 1 / 2 // no comment
    {/* a comment */}
    {}
    {list.map((item) => <Item key={item} {...item}>{item}</Item>)}
    {shown && <b>shown</b>}
  </p>
);
