export default interface.a
