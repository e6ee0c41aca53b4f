#!/usr/bin/lua
#!/usr/bin/lua
