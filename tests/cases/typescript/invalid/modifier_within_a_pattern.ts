let [readonly a] = b;
