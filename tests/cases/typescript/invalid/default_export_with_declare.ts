export default declare function f(): void
