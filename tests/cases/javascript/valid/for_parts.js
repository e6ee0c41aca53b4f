for (; node; { index, parent: node } = node) walk(index);
for (; {}.done; function () {}) break;
for ([a, b] = c; a.next; class {}) break;
for (a
  ; b
  ; c
) break;
for (let i = () => {}; i; i = i.next) break;
