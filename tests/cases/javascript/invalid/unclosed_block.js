if (a) {
