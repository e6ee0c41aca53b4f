a = class extends b?.C {};
