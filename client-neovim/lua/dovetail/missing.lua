--- A server that is not installed: its command is missing, which is said once.

local notice = require('dovetail.notice')
local options = require('dovetail.options')

local M = {}

local told = nil ---@type string? the command that the user knows to be missing

--- Return a sentence if the server is not installed, nil otherwise.
---@return string?
function M.reason()
  local program = options.current.cmd[1]
  if vim.fn.executable(program) == 0 then
    return ('`%s` is not a command. `:Dovetail install` installs the server.'):format(program)
  end
end

--- Return whether the server is installed; say once that it is not.
---
--- Neovim would say it for each buffer, and stop the user at "Press ENTER" where a file is opened at the start.
---@return boolean
function M.is_installed()
  local reason = M.reason()
  local program = options.current.cmd[1]
  if reason and told ~= program then
    local tell = vim.schedule_wrap(function()
      notice.warn(reason)
    end)
    if vim.v.vim_did_enter == 1 then
      tell()
    else
      vim.api.nvim_create_autocmd('VimEnter', { once = true, callback = tell })
    end
  end
  told = reason and program or nil
  return reason == nil
end

return M
