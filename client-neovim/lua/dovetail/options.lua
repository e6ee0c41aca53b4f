--- The options of setup(): defaults, checks and present values.

local environment = require('dovetail.environment')
local nearest = require('dovetail.nearest')

local M = {}

---@class dovetail.Options
---@field cmd? string[] the server's command line
---@field python? string the Python that creates the environment of an installed server
---@field filetypes? string[] the file types of the buffers that are served
---@field root_markers? string[] files that mark a project with a server of its own; empty: one server for all
---@field settings? table<string, any> the server's settings by name
---@field keymaps? boolean|table<dovetail.Action, string|false> keys by action; true for the proposed keys

---@alias dovetail.Action 'accept'|'accept_word'|'accept_line'|'next'|'previous'|'dismiss'|'complete'

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
  filetypes = {
    'go',
    'javascript',
    'javascriptreact',
    'json',
    'jsonc',
    'lua',
    'python',
    'typescript',
    'typescriptreact',
  },
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
  dismiss = '<C-e>',
  complete = '<M-\\>',
}

--- The present options; nil before setup().
---@type dovetail.Options?
M.current = nil

--- The sentences that say what is wrong in the last call of setup(), each by itself; none if it was taken.
---@type string[]
M.mistakes = {}

--- What is wrong in the last call of setup(); nil if it was taken.
---@type string?
M.mistake = nil

--- Return a sentence about a word that is not known, and what to write instead.
---@param what string such as "option"
---@param word any a key of a table, which need not be a string
---@param known string[]
---@return string
local function unknown(what, word, known)
  local near = nearest.to(tostring(word), known)
  if near then
    return ('There is no %s `%s`: did you mean `%s`?'):format(what, word, near)
  end
  table.sort(known)
  return ('There is no %s `%s`. Choose from %s.'):format(what, word, table.concat(known, ', '))
end

--- Return the keys of a table, sorted.
---@param given table
---@return any[]
local function names(given)
  local found = vim.tbl_keys(given)
  table.sort(found, function(one, other)
    return tostring(one) < tostring(other)
  end)
  return found
end

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
---@return string[] mistakes
local function wrong_keymaps(value)
  if type(value) == 'boolean' then
    return {}
  end
  if type(value) ~= 'table' then
    return { 'The option `keymaps` must be true, false or a table.' }
  end
  local mistakes = {}
  for _, action in ipairs(names(value)) do
    local key = value[action]
    if not M.keys[action] then
      table.insert(mistakes, unknown('action', action, vim.tbl_keys(M.keys)))
    elseif type(key) ~= 'string' and key ~= false then
      table.insert(mistakes, ('The key for `%s` must be a string such as `<Tab>`, or false.'):format(action))
    end
  end
  return mistakes
end

--- Return a sentence for each mistake in the argument of setup().
---@param given any
---@return string[]
local function mistakes_in(given)
  if type(given) ~= 'table' then
    return { 'The argument of setup() must be a table.' }
  end
  local mistakes = {}
  for _, name in ipairs(names(given)) do
    if M.defaults[name] == nil and not vim.tbl_contains(OPTIONAL, name) then
      table.insert(mistakes, unknown('option', name, vim.list_extend(vim.tbl_keys(M.defaults), OPTIONAL)))
    end
  end
  for _, name in ipairs({ 'cmd', 'filetypes', 'root_markers' }) do
    local value = given[name]
    local is_none = name ~= 'root_markers' and vim.deep_equal(value, {}) -- there may be no markers
    if value ~= nil and (is_none or not is_words(value)) then
      table.insert(mistakes, ('The option `%s` must be a list of strings.'):format(name))
    end
  end
  if given.settings ~= nil and type(given.settings) ~= 'table' then
    table.insert(mistakes, 'The option `settings` must be a table.')
  end
  if given.python ~= nil and type(given.python) ~= 'string' then
    table.insert(mistakes, 'The option `python` must be a string.')
  end
  return given.keymaps == nil and mistakes or vim.list_extend(mistakes, wrong_keymaps(given.keymaps))
end

--- Return the text that names mistakes: a sentence for one, and a list of lines for several; nil for none.
---@param mistakes string[]
---@return string?
local function said_of(mistakes)
  if #mistakes < 2 then
    return mistakes[1]
  end
  return ('The call of setup() has %d mistakes.\n- %s'):format(#mistakes, table.concat(mistakes, '\n- '))
end

--- Check and store options; return them with the defaults filled in, or nil after a mistake, which is kept.
---@param given? dovetail.Options
---@return dovetail.Options? options
function M.take(given)
  given = given == nil and {} or given
  local mistakes = mistakes_in(given)
  M.mistakes = mistakes
  M.mistake = said_of(mistakes)
  if M.mistake then
    return nil
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
