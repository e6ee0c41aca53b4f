yield//a/**
 * b
 */
