package p /*
*/