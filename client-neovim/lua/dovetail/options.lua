--- The options of setup(): defaults, checks and present values.

local environment = require('dovetail.environment')

local M = {}

---@class dovetail.Options
---@field cmd? string[] the server's command line
---@field python? string the Python that creates the environment of an installed server
---@field filetypes? string[] the file types of the buffers that are served
---@field root_markers? string[] files that mark a project with a server of its own; empty: one server for all
---@field settings? table<string, any> the server's settings by name
---@field keymaps? boolean|table<dovetail.Action, string|false> keys by action; true for the proposed keys

---@alias dovetail.Action 'accept'|'accept_word'|'accept_line'|'next'|'previous'|'complete'

--- Return the server's default command line: the one that `:Dovetail install` has installed; else `dovetail` from the
--- environment of the checkout that contains this plugin, so that both have the same version; else from the PATH.
---@return string[]
local function server()
  local installed = environment.command()
  if installed then
    return installed
  end
  local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h:h:h')
  local own = here .. '/.venv/bin/dovetail'
  return { vim.fn.executable(own) == 1 and own or 'dovetail', 'serve' }
end

---@type dovetail.Options
M.defaults = {
  cmd = server(),
  filetypes = { 'go', 'javascript', 'javascriptreact', 'json', 'jsonc', 'lua', 'python', 'typescript' },
  root_markers = {},
  settings = {},
  keymaps = false,
}

--- Options that have no default.
local OPTIONAL = { 'python' }

--- Whether the present command line is the default one.
local is_default_cmd = true

--- The keys of `keymaps = true`.
---@type table<dovetail.Action, string>
M.keys = {
  accept = '<Tab>',
  accept_word = '<M-w>',
  accept_line = '<M-l>',
  next = '<M-]>',
  previous = '<M-[>',
  complete = '<M-\\>',
}

--- The present options; nil before setup().
---@type dovetail.Options?
M.current = nil

---@param value any
---@return boolean
local function is_words(value)
  if type(value) ~= 'table' or not vim.islist(value) then
    return false
  end
  return vim.iter(value):all(function(word)
    return type(word) == 'string'
  end)
end

---@param value any
---@return string? mistake
local function wrong_keymaps(value)
  if type(value) == 'boolean' then
    return nil
  end
  if type(value) ~= 'table' then
    return 'the option `keymaps` must be true, false or a table.'
  end
  for action, key in pairs(value) do
    if not M.keys[action] then
      local known = vim.tbl_keys(M.keys)
      table.sort(known)
      return ('there is no key for `%s`; choose from %s.'):format(action, table.concat(known, ', '))
    end
    if type(key) ~= 'string' and key ~= false then
      return ('the key for `%s` must be a string such as `<Tab>`, or false.'):format(action)
    end
  end
  return nil
end

--- Check and store options; return them with the defaults filled in, or nil and a sentence that names the mistake.
---@param given? dovetail.Options
---@return dovetail.Options? options
---@return string? mistake
function M.take(given)
  given = given == nil and {} or given
  if type(given) ~= 'table' then
    return nil, 'the argument of setup() must be a table.'
  end
  for name in pairs(given) do
    if M.defaults[name] == nil and not vim.tbl_contains(OPTIONAL, name) then
      local known = vim.list_extend(vim.tbl_keys(M.defaults), OPTIONAL)
      table.sort(known)
      return nil, ('there is no option `%s`; choose from %s.'):format(name, table.concat(known, ', '))
    end
  end
  for _, name in ipairs({ 'cmd', 'filetypes', 'root_markers' }) do
    local value = given[name]
    local is_none = name ~= 'root_markers' and vim.deep_equal(value, {}) -- there may be no markers
    if value ~= nil and (is_none or not is_words(value)) then
      return nil, ('the option `%s` must be a list of strings.'):format(name)
    end
  end
  if given.settings ~= nil and type(given.settings) ~= 'table' then
    return nil, 'the option `settings` must be a table.'
  end
  if given.python ~= nil and type(given.python) ~= 'string' then
    return nil, 'the option `python` must be a string.'
  end
  local mistake = given.keymaps ~= nil and wrong_keymaps(given.keymaps) or nil
  if mistake then
    return nil, mistake
  end
  is_default_cmd = given.cmd == nil
  M.current = vim.tbl_extend('force', M.defaults, given)
  M.renew()
  return M.current
end

--- Find the default command line once more: a server may have been installed meanwhile.
function M.renew()
  M.defaults.cmd = server()
  if M.current and is_default_cmd then
    M.current.cmd = M.defaults.cmd
  end
end

--- Return the keys to map, by action.
---@return table<dovetail.Action, string>
function M.wanted_keys()
  local keymaps = M.current and M.current.keymaps or false
  if keymaps == false then
    return {}
  end
  local keys = keymaps == true and M.keys or keymaps --[[@as table]]
  local wanted = {}
  for action, key in pairs(keys) do
    if key then
      wanted[action] = key
    end
  end
  return wanted
end

return M
