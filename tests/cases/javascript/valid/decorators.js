@Component({ selector: "a" })
export class A extends B {
  @Input() name = 1
  @Output() @Other.get(a) @other.new changed;
  @Listen("click", ["$event"]) static async listen(event) {}
  @(first || second) #hidden
  @memo get value() { return 1 }
  @memo [computed]() {}
  @memo "text"() {}
  @memo with() {}
}
export default @sealed class {}
