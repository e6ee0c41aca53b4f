--- What a user may set up.

local M = {}

---@class dovetail.Options
---@field cmd? string[] the server's command line
---@field filetypes? string[] where it is started
---@field root_markers? string[] what marks the folders that have a server of their own; none: one serves all
---@field settings? table<string, any> the server's own settings, by their names
---@field keymaps? boolean|table<dovetail.Action, string|false> true for the proposed keys

---@alias dovetail.Action 'accept'|'accept_word'|'accept_line'|'next'|'previous'

--- The server's command line: the one in the environment of the checkout that this plugin is in, if `make` made it, so
--- that both are of one version; else the one on the PATH.
---@return string[]
local function server()
  local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h:h:h')
  local own = here .. '/.venv/bin/dovetail'
  return { vim.fn.executable(own) == 1 and own or 'dovetail', 'serve' }
end

---@type dovetail.Options
M.defaults = {
  cmd = server(),
  filetypes = { 'python', 'json' },
  root_markers = {},
  settings = {},
  keymaps = false,
}

--- The keys of `keymaps = true`.
---@type table<dovetail.Action, string>
M.keys = {
  accept = '<Tab>',
  accept_word = '<M-w>',
  accept_line = '<M-l>',
  next = '<M-]>',
  previous = '<M-[>',
}

--- What holds now; nil before anything was set up.
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
    return 'the option `keymaps` has to be true, false or a table.'
  end
  for action, key in pairs(value) do
    if not M.keys[action] then
      local known = vim.tbl_keys(M.keys)
      table.sort(known)
      return ('there is no key for `%s`: known are %s.'):format(action, table.concat(known, ', '))
    end
    if type(key) ~= 'string' and key ~= false then
      return ('the key for `%s` has to be written like `<Tab>`, or false.'):format(action)
    end
  end
  return nil
end

--- Return the options with the defaults for what is left out; or nil and what is wrong with them.
---@param given? dovetail.Options
---@return dovetail.Options? options
---@return string? mistake
function M.take(given)
  given = given == nil and {} or given
  if type(given) ~= 'table' then
    return nil, 'the options of setup() have to be a table.'
  end
  for name in pairs(given) do
    if M.defaults[name] == nil then
      local known = vim.tbl_keys(M.defaults)
      table.sort(known)
      return nil, ('there is no option `%s`: known are %s.'):format(name, table.concat(known, ', '))
    end
  end
  for _, name in ipairs({ 'cmd', 'filetypes', 'root_markers' }) do
    local value = given[name]
    local is_none = name ~= 'root_markers' and vim.deep_equal(value, {}) -- of markers there may be none
    if value ~= nil and (is_none or not is_words(value)) then
      return nil, ('the option `%s` has to be a list of strings.'):format(name)
    end
  end
  if given.settings ~= nil and type(given.settings) ~= 'table' then
    return nil, 'the option `settings` has to be a table.'
  end
  local mistake = given.keymaps ~= nil and wrong_keymaps(given.keymaps) or nil
  if mistake then
    return nil, mistake
  end
  M.current = vim.tbl_extend('force', M.defaults, given)
  return M.current
end

--- The keys that the user wants, by action.
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
