function if() {}
