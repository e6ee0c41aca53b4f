import { useState } from 'react'

interface Order {
  id: string
  total: number
}

// The orders of a customer, with their prices if they are asked for.
export function Orders({ orders }: { orders: Order[] }) {
  const [open, setOpen] = useState<string | null>(null)
  return (
    <ul className="orders">
      {orders.map((order) => (
        <li key={order.id} onClick={() => setOpen(order.id)}>
          {open === order.id ? <b>{order.total}</b> : 'closed'}
        </li>
      ))}
    </ul>
  )
}
