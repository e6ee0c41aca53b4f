--- The latest status of each server.

local M = {}

---@class dovetail.Status
---@field kind 'Normal'|'Warning'|'Error'|'Inactive'
---@field busy boolean
---@field message string

---@type table<integer, dovetail.Status>
local reported = {} -- client → status

--- Record the status that a server reports, nil when it has ended, and trigger `User DovetailStatus`.
---@param client_id integer
---@param status? dovetail.Status
function M.take(client_id, status)
  reported[client_id] = status
  if status and status.kind == 'Inactive' then
    require('dovetail.fitting').forget() -- completions were switched off
  end
  vim.api.nvim_exec_autocmds('User', { pattern = 'DovetailStatus', modeline = false })
end

--- Return the status of the server of the current buffer.
---@return dovetail.Status?
function M.current()
  local client = require('dovetail.client').all(vim.api.nvim_get_current_buf())[1]
  return client and reported[client.id]
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
  return 'Dovetail ' .. (status.busy and '…' or marks[status.kind] or '?')
end

return M
