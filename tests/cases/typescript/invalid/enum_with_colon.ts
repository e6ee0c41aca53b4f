enum A { default: 0 }
