const a = <T,>(x: T) => x;
const b = <T extends object>(x: T): T => x
const c = <T = string,>(x: T) => x, d = <T, U extends T = T,>(x: T, y: U) => [x, y];
const e = <
  const Names extends readonly string[],
  Value,
>(names: Names) => <p>{names.length}</p>;
export default <T /* one */ , >(x: T) => <>{x}</>;
call(<T,>(x: T) => <b>{x}</b>, async <T,>(x: T) => x, async <T extends U>(x: T) => { await x });
