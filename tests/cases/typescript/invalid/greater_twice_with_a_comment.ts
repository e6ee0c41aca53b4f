const a = b >/**/> c;
