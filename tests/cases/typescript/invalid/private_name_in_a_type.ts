type A = B.#c;
