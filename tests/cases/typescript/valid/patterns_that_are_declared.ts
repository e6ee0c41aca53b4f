export declare const { a, b, }: typeof u;
declare let [c]: X, d: string
declare var { e: { f }, ...g }: Y, [h]: Z;
declare const { i };
