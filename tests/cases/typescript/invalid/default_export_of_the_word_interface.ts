export default interface
