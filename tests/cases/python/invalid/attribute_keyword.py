a.class
