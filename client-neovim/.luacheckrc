-- luacheck's settings for the plugin, which runs in Neovim's LuaJIT.
std = 'luajit'
read_globals = { 'vim' }
max_line_length = 120
