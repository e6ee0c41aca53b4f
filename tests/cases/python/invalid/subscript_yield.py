a[yield]
