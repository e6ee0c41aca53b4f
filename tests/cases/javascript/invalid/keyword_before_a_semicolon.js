if ;
