import read from "./read.js"
do read(); while (false)
for (;;) if (read) break
else throw read
if (read) debugger
switch (read) { default: read() }
switch (read) { case 1: read() }
switch (read) { case 1: default: case 2: }
var one = 1, two
export default two
