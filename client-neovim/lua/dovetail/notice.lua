--- Sentences for the user.

local M = {}

---@param sentence string
function M.tell(sentence)
  vim.notify(sentence, vim.log.levels.INFO, { title = 'Dovetail' })
end

---@param sentence string
function M.warn(sentence)
  vim.notify('Dovetail: ' .. sentence, vim.log.levels.WARN, { title = 'Dovetail' })
end

return M
