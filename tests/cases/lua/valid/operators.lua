a = not b or c and d < e > f <= g >= h ~= i == j .. k + l - m * n / o % p ^ q
