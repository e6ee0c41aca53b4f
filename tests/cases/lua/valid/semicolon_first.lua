-- versions: 5.2-
do ; end
