from a import b, *
