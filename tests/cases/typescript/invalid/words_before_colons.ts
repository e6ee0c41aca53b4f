const :
