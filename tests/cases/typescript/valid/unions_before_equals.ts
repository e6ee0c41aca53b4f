let a: keyof B<c>= d, e: | F | G<h>= i, j: () => K<l>= m, n: (A | B<c>)[]= o, p: Q | keyof R<s>= t
