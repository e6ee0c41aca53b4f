const quote = /'/;
return 1;
export default 1;
