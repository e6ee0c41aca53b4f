--- Questions that are answered by yes or no.

local M = {}

local YES, NO = 1, 2 -- the places of the choices

--- Ask a question, and return true after a yes: the key `y`. Every other answer is a no.
---
--- Neovim's own `vim.ui.select` takes numbers alone, so `y` would be a no there.
---@param question string
---@return boolean
function M.given(question)
  return vim.fn.confirm('Dovetail: ' .. question, '&Yes\n&No', NO, 'Question') == YES
end

return M
