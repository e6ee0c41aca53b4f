--- Access to the part of Neovim that shows inline completions.
---
--- Neovim has no public way to see the shown item, to hide it, or to ask for several candidates. This module finds the
--- internal object of a buffer, or nothing if a later Neovim has changed it; callers then do without.

local M = {}

--- Return the internal object of a buffer, or nil.
---@param bufnr integer
---@return table?
function M.of(bufnr)
  local found, capability = pcall(require, 'vim.lsp._capability')
  local kinds = found and capability.all and capability.all.inline_completion
  local this = kinds and kinds.active and kinds.active[bufnr]
  local is_known = this and this.count_items and this.request and this.show and this.hide and this.select
  return is_known and this or nil
end

--- The namespace in which Neovim draws ghost text.
local drawn = vim.api.nvim_create_namespace('nvim.lsp.inline_completion')

--- Whether ghost text is shown in a buffer.
---@param bufnr integer
---@return boolean
function M.is_shown(bufnr)
  return #vim.api.nvim_buf_get_extmarks(bufnr, drawn, 0, -1, { limit = 1 }) > 0
end

--- Draw the ghost text of a buffer in its own look alone. Neovim mixes that with the look of the character behind it,
--- so before a bracket that `matchparen` marks it would look like that.
---@param bufnr integer
function M.set_apart(bufnr)
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(bufnr, drawn, 0, -1, { details = true })) do
    local id, row, column, details = unpack(mark)
    if details.hl_mode == 'combine' then
      vim.api.nvim_buf_set_extmark(bufnr, drawn, row, column, {
        id = id,
        virt_text = details.virt_text,
        virt_lines = details.virt_lines,
        virt_text_pos = details.virt_text_pos,
        hl_mode = 'replace',
      })
    end
  end
end

--- Item → the text of its line behind the cursor when it came. The table is weak: Neovim keeps the items.
---@type table<table, string>
local tails = setmetatable({}, { __mode = 'k' })

--- Keep the text behind the cursor, which stays what it is while a user types into an item that has just come.
---@param item table
function M.keep_tail(item)
  if not tails[item] then
    tails[item] = vim.api.nvim_get_current_line():sub(vim.api.nvim_win_get_cursor(0)[2] + 1)
  end
end

--- Return the part of an item that the user has typed and the part that remains; nil if the item does not fit the text
--- around the cursor, or is typed completely.
---@param item table
---@return string? typed
---@return string? remaining
function M.remainder(item)
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
  -- A cursor that has been moved back, or a bracket that was closed by itself, has something of the item behind it.
  local tail = tails[item]
  if tail and line:sub(cursor[2] + 1) ~= tail then
    return nil
  end
  local typed = line:sub(column + 1, cursor[2])
  if not vim.startswith(text, typed) or #typed == #text then
    return nil
  end
  return typed, text:sub(#typed + 1)
end

return M
