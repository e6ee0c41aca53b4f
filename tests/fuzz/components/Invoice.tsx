import { useReducer, type ReactNode } from "react";

interface Item {
  id: number;
  title: string;
  price: number;
  amount?: number;
}

type Action = { kind: "add"; item: Item } | { kind: "remove"; id: number } | { kind: "clear" };

interface Props {
  items: Item[];
  currency: "EUR" | "USD";
  footer?: ReactNode;
  onPay: (total: number) => Promise<void>;
}

function reduce(items: Item[], action: Action): Item[] {
  switch (action.kind) {
    case "add":
      return [...items, action.item];
    case "remove":
      return items.filter((item) => item.id !== action.id);
    default:
      return [];
  }
}

export function Invoice({ items: initial, currency, footer, onPay }: Props) {
  const [items, dispatch] = useReducer(reduce, initial);
  const total = items.reduce((sum, { price, amount = 1 }) => sum + price * amount, 0);
  const format = (value: number): string =>
    new Intl.NumberFormat("en", { style: "currency", currency }).format(value);

  return (
    <article className="invoice">
      <table>
        <thead>
          <tr>
            <th>Title</th>
            <th align="right">Price</th>
            <th />
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id}>
              <td>{item.title}</td>
              <td align="right">{format(item.price * (item.amount ?? 1))}</td>
              <td>
                <button onClick={() => dispatch({ kind: "remove", id: item.id })}>×</button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        Total: <strong>{format(total)}</strong>
      </p>
      <button disabled={total === 0} onClick={() => void onPay(total)}>
        Pay
      </button>
      {footer}
    </article>
  );
}
