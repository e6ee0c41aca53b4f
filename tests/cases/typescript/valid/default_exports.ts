export default function (): { width: number } { return { width: 1 } }
