--- Keys in insert mode, for those who want them; where there is nothing to accept, a key does what it does without.

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

--- Our mappings. The keys are weak: a function lives as long as a buffer has it mapped.
---@type table<function, table|false>
local ours = setmetatable({}, { __mode = 'k' }) -- function → maparg() of the buffer's own mapping before it, or false

--- What a key is mapped to everywhere.
---@param key string
---@return table mapping like a dictionary of maparg(), empty if it is not mapped
local function global(key)
  local typed = vim.keycode(key)
  for _, mapping in ipairs(vim.api.nvim_get_keymap('i')) do
    if mapping.lhsraw == typed or mapping.lhsrawalt == typed then
      return mapping
    end
  end
  return {}
end

--- Press a key as it is mapped without us, by the user, a plugin or Neovim.
---@param key string
---@param replaced table|false the buffer's own mapping before ours; what is mapped everywhere may have changed since
---@return string keys of an expression mapping
local function press(key, replaced)
  local before = replaced or global(key)
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

--- Map a key of a buffer.
---@param bufnr integer
---@param key string
---@param action dovetail.Action
local function map(bufnr, key, action)
  local before = vim.api.nvim_buf_call(bufnr, function()
    return vim.fn.maparg(key, 'i', false, true)
  end)
  local replaced = before.buffer == 1 and before
  local function pressed()
    local function decline()
      vim.api.nvim_feedkeys(vim.keycode(press(key, replaced)), 'in', false)
    end
    -- An open menu has the key first.
    if vim.fn.pumvisible() == 0 and actions[action](decline) then
      return ''
    end
    return press(key, replaced)
  end
  vim.keymap.set('i', key, pressed, { buffer = bufnr, expr = true, desc = 'Dovetail: ' .. action:gsub('_', ' ') })
  ours[pressed] = replaced
end

--- Take our mappings out of a buffer, and put its own back.
---@param bufnr integer
local function unmap(bufnr)
  for _, mapping in ipairs(vim.api.nvim_buf_get_keymap(bufnr, 'i')) do
    local replaced = ours[mapping.callback]
    if replaced ~= nil then
      vim.api.nvim_buf_del_keymap(bufnr, 'i', mapping.lhs)
    end
    if replaced then
      vim.api.nvim_buf_call(bufnr, function()
        vim.fn.mapset('i', false, replaced)
      end)
    end
  end
end

--- Map the keys that the user wants in a buffer, and no others.
---@param bufnr integer
function M.map(bufnr)
  unmap(bufnr)
  for action, key in pairs(options.wanted_keys()) do
    map(bufnr, key, action)
  end
end

return M
