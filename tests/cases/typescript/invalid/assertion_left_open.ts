const a = <any>{ b: ;
