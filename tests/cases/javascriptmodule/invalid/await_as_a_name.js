x = { await };
export {};
