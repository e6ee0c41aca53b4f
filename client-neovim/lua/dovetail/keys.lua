--- Keys in insert mode, for those who want them; where there is nothing to accept, a key does what it did before.

local options = require('dovetail.options')

local M = {}

---@type table<dovetail.Action, fun(decline: fun()): boolean>
local actions = {
  accept = function(decline)
    return require('dovetail.ghost').accept('all', decline)
  end,
  accept_word = function(decline)
    return require('dovetail.ghost').accept('word', decline)
  end,
  accept_line = function(decline)
    return require('dovetail.ghost').accept('line', decline)
  end,
  next = function()
    return require('dovetail.ghost').cycle(1)
  end,
  previous = function()
    return require('dovetail.ghost').cycle(-1)
  end,
}

local DESCRIPTION = 'Dovetail: '

--- Press a key as it was mapped before, by the user or by Neovim.
---@param key string
---@param before table a dictionary of maparg(), empty if it was not mapped
---@return string keys of an expression mapping
local function press(key, before)
  if vim.tbl_isempty(before) then
    return key
  end
  if before.callback and before.expr == 1 then
    return before.callback() or ''
  elseif before.callback then
    vim.schedule(before.callback) -- it may change the text, which the expression of a mapping may not
    return ''
  end
  local keys = before.expr == 1 and vim.api.nvim_eval(before.rhs) or before.rhs
  -- Before what the user typed meanwhile.
  vim.api.nvim_feedkeys(vim.keycode(keys), before.noremap == 1 and 'in' or 'im', false)
  return ''
end

--- Map the keys that the user wants in a buffer.
---@param bufnr integer
function M.map(bufnr)
  for action, key in pairs(options.wanted_keys()) do
    local before = vim.api.nvim_buf_call(bufnr, function()
      return vim.fn.maparg(key, 'i', false, true)
    end)
    if not vim.startswith(before.desc or '', DESCRIPTION) then
      vim.keymap.set('i', key, function()
        local function decline()
          vim.api.nvim_feedkeys(vim.keycode(press(key, before)), 'in', false)
        end
        -- An open menu has the key first.
        if vim.fn.pumvisible() == 0 and actions[action](decline) then
          return ''
        end
        return press(key, before)
      end, { buffer = bufnr, expr = true, desc = DESCRIPTION .. action:gsub('_', ' ') })
    end
  end
end

return M
