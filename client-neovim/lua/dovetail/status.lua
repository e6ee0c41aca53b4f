--- The server's status, as it told last.

local M = {}

---@class dovetail.Status
---@field kind 'Normal'|'Warning'|'Error'|'Inactive'
---@field busy boolean
---@field message string

---@type table<integer, dovetail.Status>
local told = {} -- client → status

--- Take what the server of a client tells, nil when it is gone; `User DovetailStatus` follows.
---@param client_id integer
---@param status? dovetail.Status
function M.take(client_id, status)
  told[client_id] = status
  vim.api.nvim_exec_autocmds('User', { pattern = 'DovetailStatus', modeline = false })
end

--- The status of the server at the current buffer.
---@return dovetail.Status?
function M.current()
  local client = require('dovetail.client').all(vim.api.nvim_get_current_buf())[1]
  return client and told[client.id]
end

local marks = { Normal = '✓', Warning = '!', Error = '✗', Inactive = '–' }

--- The status in few characters.
---@return string
function M.words()
  local status = M.current()
  if not status then
    return ''
  end
  return 'Dovetail ' .. (status.busy and '…' or marks[status.kind] or '?')
end

return M
