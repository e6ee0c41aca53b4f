const { package: parts, static: fixed } = { package: 1, static: 2, let: 3, public() { }, get private() { return 1 } };
class Box { static let = 1; package = parts.package; protected() { return this.package } static() { } }
export { parts as package, fixed as let };
