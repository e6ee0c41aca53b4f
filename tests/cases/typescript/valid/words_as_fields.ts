class A {
  default = 1
  delete = () => {}
  static for = a
  @Input() class = ''
  if?: A
  in!: B
  declare className: string
  declare readonly functions?: A[]
  declare letters
}
enum B { default = 1, 'a', new = 2 }
