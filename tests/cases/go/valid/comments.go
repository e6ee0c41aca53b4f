package p

/* a */ var /* b */ x /* c */ = /* d
*/ 1 /* e */ // f
/***/ /**/ /* * / **/ var y int /*
*/
