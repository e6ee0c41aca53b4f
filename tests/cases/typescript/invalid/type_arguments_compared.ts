const a = b<c> > d;
