outer: for (;;) {
  continue outer
}
