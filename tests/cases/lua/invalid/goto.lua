-- versions: 5.1
::top:: goto top
