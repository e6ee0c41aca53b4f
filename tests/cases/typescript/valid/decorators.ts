@Component({ selector: "a" })
export class View { @Input() name: string; @Output() changed = new Emitter<string>(); }
