--- Accepting ghost text, all of it or a part, and choosing among several candidates.

local completor = require('dovetail.completor')
local fitting = require('dovetail.fitting')
local grace = require('dovetail.grace')
local keys = require('dovetail.keys')
local room = require('dovetail.room')

local M = {}

local PATIENCE = 1500 -- milliseconds after which a user who asked by hand is told what the server does

--- Return a text, its first word, or its first line, with the blanks before it.
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

--- Notify the server about an item, which it identifies by the item's command.
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

--- Tell the server how much of an item was accepted: for all of it the item's command runs, for a part there is a
--- notification.
---@param item table
---@param taken string the accepted part of its text
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

--- End the step of `u` that the text belongs to: what was typed is taken back apart from what was accepted.
local function end_undo_step()
  -- To set this option ends the step, also to what it is.
  local levels = vim.api.nvim_get_option_value('undolevels', { buf = 0 })
  vim.api.nvim_set_option_value('undolevels', levels, { buf = 0 })
end

--- Insert the accepted part of an item; return false if the item no longer fits.
---@param item table
---@param extent 'all'|'word'|'line'
---@return boolean
local function insert(item, extent)
  local typed, coming = completor.remainder(item)
  if not typed or not coming then
    return false
  end
  local rest = M.part(coming, extent)
  local cursor = vim.api.nvim_win_get_cursor(0)
  local row = cursor[1] - 1
  local lines = vim.split(rest, '\n')
  end_undo_step()
  vim.api.nvim_buf_set_text(0, row, cursor[2], row, cursor[2], lines)
  end_undo_step()
  local last = #lines == 1 and cursor[2] + #rest or #lines[#lines]
  vim.api.nvim_win_set_cursor(0, { cursor[1] + #lines - 1, last })
  tell_accepted(item, typed .. rest)
  return true
end

--- Accept the shown item, or a part of it; return false if no item is shown that fits the typed text.
---@param extent 'all'|'word'|'line'
---@param decline? fun() called later if the item does not fit: Neovim evaluates a key's mapping before it has inserted
--- the character typed just before
---@param accepted? fun() called later if the item was inserted
---@return boolean
function M.accept(extent, decline, accepted)
  local bufnr = vim.api.nvim_get_current_buf()
  if not vim.lsp.inline_completion or not completor.is_shown(bufnr) then
    return false
  end
  local function take(item)
    if not insert(item, extent) then
      accepted = decline
    end
    if accepted then
      accepted()
    end
  end
  local this = completor.of(bufnr)
  if not this then
    return vim.lsp.inline_completion.get({ on_accept = take }) -- which returns nil, so Neovim inserts nothing itself
  elseif not this.current or not completor.remainder(this.current) then
    return false
  end
  local shown = this.current
  -- Later, because the expression of a mapping may not change the text. The character typed just before is in the text
  -- then, and the item may not fit any more.
  vim.schedule(function()
    local item = this.current or shown -- a key pressed just before has accepted a part of it
    this:abort()
    take(item)
    this:show() -- the rest at once, or the next key, if it has been typed already, would find none
  end)
  return true
end

local told_of -- the identifier of the item that was last reported as shown

--- Tell the server which item is shown, once for each item.
function M.tell_shown()
  local bufnr = vim.api.nvim_get_current_buf()
  local this = completor.is_shown(bufnr) and completor.of(bufnr)
  local item = this and this.current
  local name = item and item.command and item.command.arguments and item.command.arguments[1]
  if name and name ~= told_of then
    told_of = name
    room.make(item)
    tell(item, 'textDocument/didShowCompletion')
  end
end

--- Show another of the present candidates.
---@param count integer
local function select(count)
  vim.lsp.inline_completion.select({ count = count })
  M.tell_shown()
end

--- Call a function when a request of a buffer begins and when it ends.
---@param bufnr integer
---@param follow fun(type: 'pending'|'complete'|'cancel', id: integer): boolean? returns true to follow no longer
---@param group? integer
local function follow_requests(bufnr, follow, group)
  vim.api.nvim_create_autocmd('LspRequest', {
    buffer = bufnr,
    group = group,
    callback = function(event)
      local request, client = event.data.request, vim.lsp.get_client_by_id(event.data.client_id)
      if request.method ~= 'textDocument/inlineCompletion' or not client or client.name ~= 'dovetail' then
        return false
      end
      return follow(request.type, event.data.request_id) == true
    end,
  })
end

--- Request ghost text by hand, and call a function after the answer, unless the request was cancelled.
---@param this table
---@param act fun()
local function request(this, act)
  local asked
  follow_requests(this.bufnr, function(type, id)
    if type == 'pending' then
      asked = asked or id
    elseif id == asked then
      if type == 'complete' then
        vim.schedule(act) -- the handler of the answer runs after this
      end
      return true
    end
  end)
  -- What Neovim asks by itself a moment later would be shown in the place of what the user asked for.
  if this.reset_timer then
    this:reset_timer()
  end
  this:request(vim.lsp.protocol.InlineCompletionTriggerKind.Invoked)
end

--- Follow the ghost text of a buffer: report it to the server, and hide it while it does not fit.
---@param bufnr integer
---@param group integer
function M.follow(bufnr, group)
  follow_requests(bufnr, function(type)
    if type ~= 'pending' then
      vim.schedule(M.tell_shown) -- the handler of the answer runs after this
    end
  end, group)
  fitting.watch(bufnr)
  keys.serve(bufnr, true)
  vim.api.nvim_create_autocmd({ 'InsertEnter', 'CursorMovedI', 'TextChangedP' }, {
    buffer = bufnr,
    group = group,
    callback = function()
      fitting.watch(bufnr)
      if not fitting.is_watched(bufnr) then
        keys.follow(bufnr, true) -- a Neovim that this plugin does not know: a key then checks for itself
      end
    end,
  })
  vim.api.nvim_create_autocmd('InsertLeave', {
    buffer = bufnr,
    group = group,
    callback = function()
      fitting.forget(bufnr)
      grace.finish(bufnr)
    end,
  })
end

--- Stop following a buffer that no server serves any more.
---@param bufnr integer
function M.leave(bufnr)
  fitting.forget(bufnr)
  grace.finish(bufnr)
  require('dovetail.questions').give_up(bufnr)
  keys.follow(bufnr, false)
  keys.serve(bufnr, false)
end

--- Ask for ghost text in the current buffer as a user does by hand: also where none is offered while typing. Return
--- false if Neovim does not allow it.
---@return boolean
function M.complete()
  local bufnr = vim.api.nvim_get_current_buf()
  local this = vim.lsp.inline_completion and completor.of(bufnr)
  if not this then
    return false
  end
  local is_answered, is_told = false, false
  vim.defer_fn(function()
    local now = require('dovetail.status').current()
    if not is_answered and now and now.busy then
      is_told = true
      require('dovetail.notice').tell(now.message) -- such as a language that is being prepared
    end
  end, PATIENCE)
  request(this, function()
    is_answered = true
    if completor.is_shown(bufnr) then
      if is_told then
        require('dovetail.notice').close()
      end
    else
      local off = require('dovetail.status').reason_off()
      require('dovetail.notice').tell(off or 'Nothing is offered here; `:Dovetail why` says the reason.')
    end
  end)
  return true
end

--- Return whether insert mode was left at the cursor of normal mode, and the column where it was.
---@return boolean resumes
---@return integer column
local function left_insertion()
  local left = vim.api.nvim_buf_get_mark(0, '^')
  local cursor = vim.api.nvim_win_get_cursor(0)
  local resumes = left[1] == cursor[1] and (left[2] == cursor[2] or left[2] == cursor[2] + 1)
  return resumes, left[2]
end

--- Return the column in bytes, from 0, at which a command in normal mode would complete: where insert mode was left,
--- else behind the cursor's character.
---@return integer
function M.column_of_normal()
  local resumes, column = left_insertion()
  local cursor, line = vim.api.nvim_win_get_cursor(0), vim.api.nvim_get_current_line()
  return resumes and column or cursor[2] + #vim.fn.matchstr(line:sub(cursor[2] + 1), '.')
end

--- Ask by hand from normal mode: go on in insert mode where it was left, else behind the cursor's character.
function M.complete_from_normal()
  local resumes = left_insertion()
  vim.api.nvim_create_autocmd('InsertEnter', {
    once = true,
    callback = function()
      -- Neovim itself prepares its ghost text for the mode first.
      vim.schedule(M.complete)
    end,
  })
  vim.api.nvim_feedkeys(resumes and 'gi' or 'a', 'n', false)
end

--- Hide the ghost text of the current buffer until the next key asks for one; return false if none is shown.
---@return boolean
function M.dismiss()
  local bufnr = vim.api.nvim_get_current_buf()
  local this = completor.of(bufnr)
  if not this or not completor.is_shown(bufnr) then
    return false
  end
  fitting.forget(bufnr) -- else it would come back with a key that is typed and deleted
  this:hide()
  return true
end

--- Show another candidate. Typing requests only one, so the first call requests the others.
---@param count integer
---@return boolean
function M.cycle(count)
  if not vim.lsp.inline_completion then
    return false
  end
  local bufnr = vim.api.nvim_get_current_buf()
  local this = completor.of(bufnr)
  if this and this:count_items() <= 1 then
    request(this, function()
      if completor.is_shown(bufnr) then
        select(count)
      end
    end)
  else
    select(count)
  end
  return true
end

return M
