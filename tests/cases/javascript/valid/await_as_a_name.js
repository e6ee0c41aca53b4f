const a = { await };
f({ b: 1, await, yield }, { yield });
await