type Props = { name: string; children?: React.ReactNode };

export function Greeting({ name, children }: Props): JSX.Element {
  const [count, setCount] = useState<number | null>(null);
  const smaller = a < b && c > d, call = f<A>(x), shifted = a >> b >= c;
  if (count! < 3) return <p key={name as string}>{name} &gt; {count ?? 0}</p>;
  return (
    <>
      <h1 className="a" onClick={(event: MouseEvent): void => setCount((c) => (c ?? 0) + 1)}>
        Hello, {name satisfies string}!
      </h1>
      {items.map<JSX.Element>((item: Item) => <li key={item.id}>{item.title}</li>)}
      <svg:path d='M0' data-x /> {/* nothing */}
      {children}
    </>
  )
}
