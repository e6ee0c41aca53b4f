const a = b <//
c;
