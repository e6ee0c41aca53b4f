export declare enum A { B = 1, C }
export declare const enum D { E = "e" }
declare enum F {}
declare const enumerable: boolean, enumerated: string
declare const enumKeys: (value: object) => string[];
export declare const enums = 1
const enumValue: number = 2
