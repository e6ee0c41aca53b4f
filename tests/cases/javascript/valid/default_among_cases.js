switch (a) { case 1: b(); default: c(); case 2: }
switch (a) { default: }
switch (a) { default: d; case 3: e }
