const f = async ({ a = 1, ...b }, [c, , d] = []) => {
  await a
}
const g = x => ({})
const h = async y => y
