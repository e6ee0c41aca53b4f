const { a }: T;
