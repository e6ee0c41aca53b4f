
#!/usr/bin/env node
let run: () => void;
