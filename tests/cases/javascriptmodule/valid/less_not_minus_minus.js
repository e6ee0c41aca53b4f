const a = b <!--c
export { a };
