

// Package p.
/* more
 */ package /* name */ p // end