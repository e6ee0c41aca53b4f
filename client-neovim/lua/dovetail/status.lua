--- The latest status of each server, and the buffers in which nothing is offered although their server is ready.

local notice = require('dovetail.notice')

local M = {}

---@class dovetail.Status
---@field kind 'Normal'|'Warning'|'Error'|'Inactive'
---@field busy boolean
---@field message string
---@field mistakes? string[] the sentences about wrong settings, with which the message ends
---@field only_mistakes? boolean whether they alone are the reason for a warning

local SETTLING = 200 -- milliseconds that a failure lasts before it is told; a lost model is loaded anew at once

---@type table<integer, dovetail.Status>
local reported = {} -- client → status

---@type table<integer, string>
local settled = {} -- client → the last message of its status that was not busy

---@type table<integer, boolean>
local ready = {} -- client → whether it has a model

---@type table<integer, boolean>
local unknown = {} -- buffer → whether the model does not know its language

local function tell_of_change()
  vim.api.nvim_exec_autocmds('User', { pattern = 'DovetailStatus', modeline = false })
end

--- Ask a server whether its model knows the language of a buffer.
---@param client vim.lsp.Client
---@param bufnr integer
function M.refresh(client, bufnr)
  require('dovetail.client').command(client, 'status', { vim.uri_from_bufnr(bufnr) }, function(result)
    if unknown[bufnr] ~= result.other_model and vim.api.nvim_buf_is_valid(bufnr) then
      unknown[bufnr] = result.other_model
      tell_of_change()
    end
  end, { quietly = true })
end

--- Follow the buffers that the user enters.
---@param group integer
function M.follow(group)
  vim.api.nvim_create_autocmd('BufEnter', {
    group = group,
    callback = function(event)
      for _, client in ipairs(require('dovetail.client').all(event.buf)) do
        M.refresh(client, event.buf)
      end
    end,
  })
  vim.api.nvim_create_autocmd('BufDelete', {
    group = group,
    callback = function(event)
      unknown[event.buf] = nil
    end,
  })
end

--- Return the message of a status without the mistakes in the settings.
---@param status dovetail.Status
---@return string
function M.without_mistakes(status)
  local last = table.concat(status.mistakes or {}, ' ')
  return vim.endswith(status.message, last) and vim.trim(status.message:sub(1, -1 - #last)) or status.message
end

--- Tell why a server offers nothing if that lasts, and if no answer has just said so.
---@param client_id integer
---@param status dovetail.Status
local function tell_failure(client_id, status)
  vim.defer_fn(function()
    local message = M.without_mistakes(status)
    if reported[client_id] == status and message ~= notice.latest() then
      notice.warn(message)
    end
  end, SETTLING)
end

--- Record the status that a server reports, nil when it has ended, and trigger `User DovetailStatus`.
---@param client_id integer
---@param status? dovetail.Status
function M.take(client_id, status)
  reported[client_id] = status
  if status and status.kind == 'Inactive' then
    require('dovetail.fitting').forget() -- completions were switched off
  end
  tell_of_change()
  -- Each completion makes the server busy for a moment. Only another message may mean another model.
  if not status then
    ready[client_id], settled[client_id] = nil, nil
    return
  elseif status.busy then
    return
  end
  local is_ready = status.kind == 'Normal' or status.kind == 'Warning'
  local is_other = settled[client_id] ~= status.message
  local was_ready = ready[client_id]
  settled[client_id], ready[client_id] = status.message, is_ready
  -- A server that has restarted its model stays ready, with a new warning.
  if is_ready and (not was_ready or (is_other and status.kind == 'Warning')) then
    require('dovetail.waiting').recovered(client_id)
  end
  if not is_other then
    return
  elseif status.kind == 'Error' then
    tell_failure(client_id, status)
  end
  local bufnr = vim.api.nvim_get_current_buf()
  local client = vim.lsp.get_client_by_id(client_id)
  if client and vim.lsp.buf_is_attached(bufnr, client_id) then
    M.refresh(client, bufnr)
  end
end

--- Return the status of the server of the current buffer.
---@return dovetail.Status?
function M.current()
  local client = require('dovetail.client').all(vim.api.nvim_get_current_buf())[1]
  return client and reported[client.id]
end

--- Return why the server of the current buffer offers nothing anywhere, nil if it does.
---@return string?
function M.reason_off()
  local status = M.current()
  local is_off = status and not status.busy and (status.kind == 'Error' or status.kind == 'Inactive')
  return is_off and M.without_mistakes(status) or nil
end

local marks = { Normal = '✓', Warning = '!', Error = '✗', Inactive = '–' }

--- Return the status in a few characters.
---@return string
function M.words()
  local status = M.current()
  if not status then
    local last = require('dovetail.client').last_end(vim.api.nvim_get_current_buf())
    return last and 'Dovetail ' .. (last.seconds and '…' or marks.Error) or ''
  end
  if status.kind == 'Normal' and not status.busy and unknown[vim.api.nvim_get_current_buf()] then
    return 'Dovetail ' .. marks.Inactive
  end
  return 'Dovetail ' .. (status.busy and '…' or marks[status.kind] or '?')
end

return M
