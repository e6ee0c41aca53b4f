enum A { a, class B {} }
