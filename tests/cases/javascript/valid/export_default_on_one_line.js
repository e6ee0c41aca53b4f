export default function named() {} let after = 1
