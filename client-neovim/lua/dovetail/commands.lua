--- `:Dovetail`.

local client = require('dovetail.client')
local notice = require('dovetail.notice')

local M = {}

--- Give the server of the current buffer a command and show what it says.
---@param name string
---@param arguments any[]
local function ask(name, arguments)
  local found = client.all(vim.api.nvim_get_current_buf())[1]
  if not found then
    notice.warn('no server is at this buffer: call require("dovetail").setup(), and see `:checkhealth dovetail`.')
    return
  end
  client.command(found, name, arguments, function(result)
    notice.tell(result.message)
  end)
end

---@return string
local function uri()
  return vim.uri_from_bufnr(0)
end

local scopes = { 'all', 'language', 'document' }

---@type table<string, fun(words: string[])>
local commands = {
  status = function()
    ask('status', { uri() })
  end,
  why = function()
    ask('why', { uri() })
  end,
  explain = function()
    local found = client.all(vim.api.nvim_get_current_buf())[1]
    local encoding = found and found.offset_encoding or 'utf-16'
    ask('explain', { vim.lsp.util.make_position_params(0, encoding) })
  end,
  toggle = function(words)
    local scope = words[1] or 'all'
    if not vim.tbl_contains(scopes, scope) then
      notice.warn(('`:Dovetail toggle` takes all, language or document, not %s.'):format(scope))
      return
    end
    ask('toggle', { { scope = scope, uri = uri() } })
  end,
  model = function(words)
    if #words == 0 then
      ask('status', { uri() })
    else
      local name = table.concat(words, ' ')
      ask('model', { name == 'embedded' and vim.NIL or vim.fn.expand(name) })
    end
  end,
  restart = function()
    ask('restart', {})
  end,
}

--- Run `:Dovetail` with its words.
---@param words string[]
function M.run(words)
  local name = words[1] or 'status'
  local command = commands[name]
  if not command then
    notice.warn(('there is no `:Dovetail %s`: known are %s.'):format(name, table.concat(M.names(), ', ')))
    return
  end
  command(vim.list_slice(words, 2))
end

---@return string[]
function M.names()
  local names = vim.tbl_keys(commands)
  table.sort(names)
  return names
end

--- Complete the command line.
---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local words = vim.split(vim.trim(line:sub(1, #line - #lead)), '%s+')
  local choices = {}
  if #words == 1 then
    choices = M.names()
  elseif #words == 2 and words[2] == 'toggle' then
    choices = scopes
  elseif #words == 2 and words[2] == 'model' then
    choices = vim.list_extend({ 'embedded' }, vim.fn.getcompletion(lead, 'dir'))
  end
  return vim.tbl_filter(function(choice)
    return vim.startswith(choice, lead)
  end, choices)
end

return M
