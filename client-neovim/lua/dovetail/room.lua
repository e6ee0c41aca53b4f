--- Room for ghost text of several lines, of which Neovim draws none below the last line of a window.

local completor = require('dovetail.completor')

local M = {}

--- Scroll the current window until it shows all lines of an item, or as many as it can hold.
---@param item table
function M.make(item)
  local _, coming = completor.remainder(item)
  local _, count = (coming or ''):gsub('\n', '')
  local window = vim.fn.getwininfo(vim.api.nvim_get_current_win())[1]
  local missing = vim.fn.winline() + count - window.height
  if count > 0 and missing > 0 then
    local view = vim.fn.winsaveview()
    view.topline = math.min(view.topline + missing, view.lnum)
    vim.fn.winrestview(view)
  end
end

return M
