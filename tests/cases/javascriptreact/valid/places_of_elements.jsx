export default function App() {
  if (loading) return <Spinner/>
  switch (kind) {
    case <a/>: break
  }
  <div/>
  const render = () => <p>{() => { return <b/> }}</p>
  return condition ? <Yes/> : <No/>;
}
