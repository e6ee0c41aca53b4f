const a = function (b: Uint8Array): Uint8Array { return b }

let c = function* <D>(d: D): Generator<D> {
  yield d
}
a.lock = function (): void { locked = true }
a.other = async function (): Promise<void> {};
export const e = class extends F<G>(h) { i = function (): void {}
  j = 1 }
const k = class implements L {}
function m() {
  return class N extends O<P> implements Q {
  }
}
if (r) s = function (): void {}
else t()
