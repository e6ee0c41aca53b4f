import { useState } from "react";

// A basket with its items and what they cost.
export function Basket({ items, onRemove }) {
  const [open, setOpen] = useState(false);
  const total = items.reduce((sum, item) => sum + item.price, 0);
  return (
    <section className="basket">
      <h2 onClick={() => setOpen(!open)}>Basket</h2>
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            {item.name}
            <button onClick={() => onRemove(item.id)}>Remove</button>
          </li>
        ))}
      </ul>
      <p>{total}</p>
    </section>
  );
}

// A line of text below the basket.
export function Hint({ text }) {
  return <small>{text}</small>;
}
