export default function () {}
x
