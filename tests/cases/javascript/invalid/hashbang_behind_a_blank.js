 #!/usr/bin/env node
run();
