a = class extends B[] {};
