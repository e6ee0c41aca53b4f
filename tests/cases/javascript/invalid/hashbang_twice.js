#!/usr/bin/env node
#!/usr/bin/env node
