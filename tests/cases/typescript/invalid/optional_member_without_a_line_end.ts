interface A { a? b }
