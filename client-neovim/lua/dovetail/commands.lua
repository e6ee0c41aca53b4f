--- The command `:Dovetail`.

local awaited = require('dovetail.awaited')
local client = require('dovetail.client')
local left_out = require('dovetail.left_out')
local menu = require('dovetail.menu')
local missing = require('dovetail.missing')
local nearest = require('dovetail.nearest')
local notice = require('dovetail.notice')
local restart = require('dovetail.restart')
local status = require('dovetail.status')
local unserved = require('dovetail.unserved')

local M = {}

local RESTARTING = 'The server is being restarted.'
local STARTING = 'The server is still starting.'
local ATTACHING = 100 -- milliseconds in which a server that runs is attached to a file

--- Return the client of the current buffer; show why there is none if there is none.
---@return vim.lsp.Client?
local function here()
  local bufnr = vim.api.nvim_get_current_buf()
  local function serving()
    return client.all(bufnr)[1]
  end
  -- Neovim attaches a server that runs as soon as it has read the file.
  local found = serving() or awaited.is_due(bufnr) and vim.wait(ATTACHING, serving, 5) and serving() or nil
  if not found then
    local last = client.last_end(bufnr)
    local begun = client.is_restarting(bufnr) and RESTARTING or awaited.is_starting(bufnr) and STARTING
    local ended = begun or last and restart.sentence(last)
    notice.tell(unserved.reason() or missing.reason() or ended or 'No server runs. `:Dovetail restart` starts one.')
  end
  return found
end

--- Return the sentence of an answer, with what to do in Neovim, and a line for each wrong setting with which it ends.
---@param result table
---@return string
local function advised(result)
  local by_hand = (result.by_hand or result.other_model) and ' `:Dovetail complete` asks by hand.' or ''
  local models = result.other_model and ' `:Dovetail models` lists models.' or ''
  local sentence = status.without_mistakes(result)
  local mistakes = sentence ~= result.message and result.mistakes or {}
  return table.concat(vim.list_extend({ sentence .. by_hand .. models }, mistakes), '\n')
end

--- Run a command of the server of the current buffer, and show the answer.
---@param name string
---@param arguments any[]
local function ask(name, arguments)
  local found = here()
  if found then
    client.command(found, name, arguments, function(result)
      notice.tell(advised(result))
    end)
  end
end

--- Show why there is no completion in a buffer, and draw the lines faintly that were left out.
---
--- `unanswered` are the parameters of its last request if that has no answer: it is asked again before, unless nothing
--- can be answered while a language is being prepared.
---@param found vim.lsp.Client
---@param bufnr integer
---@param unanswered? table
local function tell_why(found, bufnr, unanswered)
  client.command(found, 'why', { vim.uri_from_bufnr(bufnr) }, function(result)
    if unanswered and not result.preparing then
      client.ask_again(found, unanswered, bufnr, function()
        tell_why(found, bufnr)
      end)
      return
    end
    notice.tell(advised(result) .. (client.has_inline() and '' or ' ' .. menu.advice()))
    if vim.api.nvim_buf_is_valid(bufnr) then
      left_out.show(bufnr, result.ignored)
    end
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
    local found, bufnr = here(), vim.api.nvim_get_current_buf()
    if found then
      tell_why(found, bufnr, require('dovetail.questions').unanswered(found.offset_encoding))
    end
  end,
  complete = function()
    if not here() then
      return
    elseif not client.has_inline() then
      notice.tell(menu.advice())
    elseif vim.api.nvim_get_mode().mode:sub(1, 1) == 'i' then
      require('dovetail.ghost').complete()
    else
      require('dovetail.ghost').complete_from_normal()
    end
  end,
  explain = function()
    local found = here()
    if found then
      local params = vim.lsp.util.make_position_params(0, found.offset_encoding)
      if vim.api.nvim_get_mode().mode:sub(1, 1) == 'n' then
        local column = require('dovetail.ghost').column_of_normal()
        local line = vim.api.nvim_get_current_line()
        params.position.character = vim.str_utfindex(line, found.offset_encoding, math.min(column, #line))
      end
      ask('explain', { params })
    end
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
  models = function(words)
    require('dovetail.models').run(words)
  end,
  install = function(words)
    local installation = require('dovetail.installation')
    if words[1] == 'stop' then
      installation.stop()
    elseif words[1] then
      notice.warn(('`:Dovetail install` takes stop or nothing, not %s.'):format(words[1]))
    else
      installation.install()
    end
  end,
  restart = function()
    local mistake = unserved.reason() or missing.reason()
    if mistake then
      notice.tell(mistake)
    else
      client.restart(vim.api.nvim_get_current_buf())
      notice.tell(RESTARTING)
    end
  end,
}

--- Run `:Dovetail` with its arguments.
---@param words string[]
function M.run(words)
  local name = words[1] or 'status'
  local command = commands[name]
  if not command then
    local near = nearest.to(name, M.names())
    notice.warn(
      near and ('there is no command `%s`: did you mean `%s`?'):format(name, near)
        or ('`%s` is none of %s.'):format(name, table.concat(M.names(), ', '))
    )
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
  elseif #words == 2 and words[2] == 'models' then
    choices = { 'get', 'remove', 'stop', 'try' }
  elseif #words == 2 and words[2] == 'install' then
    choices = { 'stop' }
  elseif #words == 2 and words[2] == 'model' then
    choices = vim.list_extend({ 'embedded' }, vim.fn.getcompletion(lead, 'dir'))
  end
  return vim.tbl_filter(function(choice)
    return vim.startswith(choice, lead)
  end, choices)
end

return M
