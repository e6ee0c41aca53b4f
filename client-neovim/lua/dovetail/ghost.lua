--- The ghost text: accepted in whole or in part, and only where it still fits.

local M = {}

local NAMESPACE = vim.api.nvim_create_namespace('nvim.lsp.inline_completion')

--- The first word of a text, or its first line, with the blanks before it.
---@param text string
---@param extent 'all'|'word'|'line'
---@return string
function M.part(text, extent)
  if extent == 'word' then
    local word = vim.fn.matchstr(text, [[^\_s*\%(\k\+\|\%(\k\@!\S\)\+\)]])
    return word ~= '' and word or text
  elseif extent == 'line' then
    return vim.fn.matchstr(text, [[^\n*[^\n]*]])
  end
  return text
end

--- Tell the server something of an item, which it knows by its command.
---@param item table
---@param method string
---@param more? table<string, any>
local function tell(item, method, more)
  local client = item.command and vim.lsp.get_client_by_id(item.client_id)
  if client then
    local told = { insertText = item.insert_text, command = item.command }
    client:notify(method, vim.tbl_extend('error', { item = told }, more or {}))
  end
end

--- Tell the server how much of an item is accepted: all of it is the item's command, a part has a message of its own.
---@param item table
---@param taken string what stands in the buffer of its text
local function tell_accepted(item, taken)
  if taken ~= item.insert_text then
    tell(item, 'textDocument/didPartiallyAcceptCompletion', { acceptedLength = vim.str_utfindex(taken, 'utf-16') })
  elseif item.command then
    local client = vim.lsp.get_client_by_id(item.client_id)
    if client then
      client:exec_cmd(item.command, { bufnr = 0 })
    end
  end
end

--- Return what the user has typed of an item and what there is to come; nil where they typed something else, or all.
---
--- Neovim shows a text that was meant for an earlier place until there is a new one, and would insert it there once
--- more, with what the user typed of it behind.
---@param item table
---@return string? typed, string? rest
local function remainder(item)
  local text = item.insert_text
  if type(text) ~= 'string' or not item.range then
    return nil
  end
  local row, column, end_row, end_column = item.range:to_extmark()
  local cursor = vim.api.nvim_win_get_cursor(0)
  local is_behind = cursor[1] - 1 == row and end_row == row and cursor[2] >= end_column
  if not is_behind then
    return nil
  end
  local line = vim.api.nvim_get_current_line()
  local typed = line:sub(column + 1, cursor[2])
  if not vim.startswith(text, typed) or #typed == #text then
    return nil
  end
  return typed, text:sub(#typed + 1)
end

--- Insert what is to be accepted of an item; false where it fits no more.
---@param item table
---@param extent 'all'|'word'|'line'
---@return boolean
local function insert(item, extent)
  local typed, coming = remainder(item)
  if not typed or not coming then
    return false
  end
  local rest = M.part(coming, extent)
  local cursor = vim.api.nvim_win_get_cursor(0)
  local row = cursor[1] - 1
  local lines = vim.split(rest, '\n')
  vim.api.nvim_buf_set_text(0, row, cursor[2], row, cursor[2], lines)
  local last = #lines == 1 and cursor[2] + #rest or #lines[#lines]
  vim.api.nvim_win_set_cursor(0, { cursor[1] + #lines - 1, last })
  tell_accepted(item, typed .. rest)
  return true
end

--- Whether ghost text is shown in the current buffer.
---@return boolean
function M.is_shown()
  return #vim.api.nvim_buf_get_extmarks(0, NAMESPACE, 0, -1, { limit = 1 }) > 0
end

--- What Neovim knows of the candidates at a buffer; there is no public way to ask for more of them, or which is shown.
---@param bufnr integer
---@return table?
local function completor(bufnr)
  local found, capability = pcall(require, 'vim.lsp._capability')
  local kinds = found and capability.all and capability.all.inline_completion
  local this = kinds and kinds.active and kinds.active[bufnr]
  return this and this.count_items and this.request and this or nil
end

--- Accept the shown completion, or a part of it; false where none is shown that fits what was typed since.
---@param extent 'all'|'word'|'line'
---@param decline? fun() called later where it turns out not to fit: Neovim looks at a key before it inserts the last
---@return boolean
function M.accept(extent, decline)
  if not vim.lsp.inline_completion or not M.is_shown() then
    return false
  end
  -- Asked before Neovim is, which gives up its question for a new text as soon as it is told to accept one.
  local this = completor(vim.api.nvim_get_current_buf())
  if this and this.current and not remainder(this.current) then
    return false
  end
  return vim.lsp.inline_completion.get({
    on_accept = function(item)
      if not insert(item, extent) and decline then
        decline()
      end
      return nil -- there is nothing left for Neovim to insert
    end,
  })
end

local told_of -- the name of the item of which the server knows that it is shown

--- Tell the server which item is shown now, once.
function M.tell_shown()
  local this = M.is_shown() and completor(vim.api.nvim_get_current_buf())
  local item = this and this.current
  local name = item and item.command and item.command.arguments and item.command.arguments[1]
  if name and name ~= told_of then
    told_of = name
    tell(item, 'textDocument/didShowCompletion')
  end
end

--- Show another of the candidates that are there.
---@param count integer
local function select(count)
  vim.lsp.inline_completion.select({ count = count })
  M.tell_shown()
end

--- Call a function after the next answer to a question at a buffer.
---@param bufnr integer
---@param act fun(came: boolean) whether it came, and was not taken back
---@param is_last boolean whether to watch no longer
---@param group? integer
function M.after_answer(bufnr, act, is_last, group)
  return vim.api.nvim_create_autocmd('LspRequest', {
    buffer = bufnr,
    group = group,
    callback = function(event)
      local request = event.data.request
      if request.method ~= 'textDocument/inlineCompletion' or request.type == 'pending' then
        return false
      end
      -- The handler of the answer runs after this.
      vim.schedule(function()
        act(request.type == 'complete')
      end)
      return is_last
    end,
  })
end

--- Show another candidate. An editor that asks by itself gets one, so the others are asked for at the first time.
---@param count integer
---@return boolean
function M.cycle(count)
  if not vim.lsp.inline_completion then
    return false
  end
  local bufnr = vim.api.nvim_get_current_buf()
  local this = completor(bufnr)
  if this and this:count_items() <= 1 then
    M.after_answer(bufnr, function(came)
      if came and M.is_shown() then
        select(count)
      end
    end, true)
    this:request(vim.lsp.protocol.InlineCompletionTriggerKind.Invoked)
  else
    select(count)
  end
  return true
end

return M
