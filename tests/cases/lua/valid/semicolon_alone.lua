-- versions: 5.2-
;
