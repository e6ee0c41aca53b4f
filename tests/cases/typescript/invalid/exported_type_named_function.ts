export type function = A
