export default declare class A {}
