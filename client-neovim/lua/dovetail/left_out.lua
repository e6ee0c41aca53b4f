--- The lines that the server left out of a broken file, drawn faintly once `:Dovetail why` has named them.

local M = {}

local namespace = vim.api.nvim_create_namespace('dovetail.left_out')
local group = vim.api.nvim_create_augroup('dovetail.left_out', { clear = true })

vim.api.nvim_set_hl(0, 'DovetailLeftOut', { link = 'NonText', default = true })

--- Draw the lines of a buffer as they were.
---@param bufnr integer
function M.clear(bufnr)
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  vim.api.nvim_clear_autocmds({ group = group, buffer = bufnr })
end

--- Draw the lines that an explanation says were left out, until the text changes or insert mode begins.
---@param bufnr integer
---@param ignored? table[] as the server's commands `why` and `explain` answer it
function M.show(bufnr, ignored)
  M.clear(bufnr)
  local count = vim.api.nvim_buf_line_count(bufnr)
  for _, part in ipairs(ignored or {}) do
    local lines = part.lines
    -- A header that was put in is no line of the text (`vim.NIL`), and a part that was not read yet fits perhaps.
    if type(lines) == 'table' and not part.unread and lines.first < count then
      vim.api.nvim_buf_set_extmark(bufnr, namespace, lines.first, 0, {
        end_row = math.min(lines.last + 1, count),
        hl_group = 'DovetailLeftOut',
        hl_eol = true,
        priority = 250, -- above those of syntax and of the server's tokens
        strict = false, -- the text may have changed since
      })
    end
  end
  vim.api.nvim_create_autocmd({ 'TextChanged', 'InsertEnter', 'BufUnload' }, {
    buffer = bufnr,
    group = group,
    once = true,
    callback = function()
      M.clear(bufnr)
    end,
  })
end

return M
