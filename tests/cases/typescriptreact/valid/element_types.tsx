const a = <Select<string> value="b" />;
const b = <List<A, B.C<D>> items={[]}>{(item) => <i>{item}</i>}</List>;
const c = <Table<{ a: string; b?: number }> rows={rows} />
const d = <Of<"a" | "b" | null, [number, ...A[]], typeof e, keyof F, (G | H)[], I["j"]>/>
const e = <Form.Field<readonly string[], (x: number) => void> {...props}><b/></Form.Field>
const f = <Outer content=<Inner<any>/> other={<Inner<any>>text</Inner>}/>;
