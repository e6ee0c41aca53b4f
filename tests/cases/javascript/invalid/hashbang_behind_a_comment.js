// node
#!/usr/bin/env node
run();
