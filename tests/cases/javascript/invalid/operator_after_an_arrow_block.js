const first = () => {}
  || second
