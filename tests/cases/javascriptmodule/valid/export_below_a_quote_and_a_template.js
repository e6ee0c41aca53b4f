const quote = /'/;
const line = `${quote} and ${line}
`;
export default 1;
