--- Keys in insert mode for users who want them.
---
--- They are mapped in a buffer only while it shows ghost text. Without ghost text, a key therefore does exactly what it
--- does without this plugin. Only the key that asks for ghost text is mapped all the time, in the buffers that are
--- served, and a key that has accepted text stays mapped for a moment (`grace.lua`). Where Neovim has no ghost text,
--- the key that asks for it opens the menu. In files without a server it says why there is none, unless it is mapped to
--- something; where the server is still starting, the wish is remembered (`waiting.lua`).

local grace = require('dovetail.grace')
local options = require('dovetail.options')

local M = {}

---@return boolean
local function has_ghost_text()
  return require('dovetail.client').has_inline()
end

---@type table<dovetail.Action, fun(decline: fun(), accepted: fun()): boolean>
local actions = {
  accept = function(...)
    return require('dovetail.ghost').accept('all', ...)
  end,
  accept_word = function(...)
    return require('dovetail.ghost').accept('word', ...)
  end,
  accept_line = function(...)
    return require('dovetail.ghost').accept('line', ...)
  end,
  next = function()
    return require('dovetail.ghost').cycle(1)
  end,
  previous = function()
    return require('dovetail.ghost').cycle(-1)
  end,
  dismiss = function()
    return require('dovetail.ghost').dismiss()
  end,
  complete = function()
    if not has_ghost_text() then
      return require('dovetail.menu').open()
    end
    return require('dovetail.ghost').complete()
  end,
}

local ASKS = 'Dovetail: complete' -- the description of the mapping of the key that asks for ghost text

--- Our mappings: function → the buffer's own mapping of the key before ours (as from maparg()), or false. The table is
--- weak: a function lives as long as a buffer has it mapped.
---@type table<function, table|false>
local ours = setmetatable({}, { __mode = 'k' })

---@type table<integer, boolean>
local mapped = {} -- buffers whose keys are mapped
---@type table<integer, boolean>
local served = {} -- buffers in which the key that asks for ghost text is mapped
---@type table<integer, boolean>
local unserved = {} -- buffers in which that key says why there is none, or waits for the server

--- Return the global mapping of a key.
---@param key string
---@return table mapping like a dictionary of maparg(), empty if the key is not mapped
local function global(key)
  local typed = vim.keycode(key)
  for _, mapping in ipairs(vim.api.nvim_get_keymap('i')) do
    if mapping.lhsraw == typed or mapping.lhsrawalt == typed then
      return mapping
    end
  end
  return {}
end

--- Press a key as if ours were not mapped.
---@param key string
---@param replaced table|false the buffer's own mapping before ours; the global mapping may have changed since
local function press(key, replaced)
  local before = replaced or global(key)
  if vim.tbl_isempty(before) then
    -- As if typed: Neovim treats some keys, such as <M-l>, differently when they come from a mapping.
    vim.api.nvim_feedkeys(vim.keycode(key), 'int', false)
  elseif before.callback and before.expr == 1 then
    vim.api.nvim_feedkeys(vim.keycode(before.callback() or ''), 'in', false)
  elseif before.callback then
    vim.schedule(before.callback) -- it may change the text, which the expression of a mapping may not
  else
    local keys = before.expr == 1 and vim.api.nvim_eval(before.rhs) or before.rhs
    -- Inserted before the keys that the user has typed meanwhile.
    vim.api.nvim_feedkeys(vim.keycode(keys), before.noremap == 1 and 'in' or 'im', false)
  end
end

--- Say why no server serves the current buffer; if one could, remember that the user waits for it.
---@param bufnr integer
local function answer_without_server(bufnr)
  local reason = require('dovetail.unserved').reason() or require('dovetail.missing').reason()
  if not reason then
    require('dovetail.waiting').wish(bufnr)
    return
  end
  vim.schedule(function() -- a user's own vim.notify() may open a window, which the expression of a mapping may not
    require('dovetail.notice').tell(reason)
  end)
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
  local function decline()
    if not grace.takes(key) then
      press(key, replaced)
    end
  end
  local function accepted()
    if replaced or not vim.tbl_isempty(global(key)) or not grace.is_needed(key) then
      return
    end
    grace.begin(key, function()
      M.map_needed(bufnr)
    end)
    M.map_needed(bufnr)
  end
  local function pressed()
    if unserved[bufnr] then
      if replaced or not vim.tbl_isempty(global(key)) then
        press(key, replaced)
      else
        answer_without_server(bufnr)
      end
      return ''
    end
    -- An open menu gets the key first, unless the key is for the menu.
    local is_for_other = vim.fn.pumvisible() ~= 0 and (action ~= 'complete' or has_ghost_text())
    if is_for_other or not actions[action](decline, accepted) then
      decline()
    end
    return ''
  end
  vim.keymap.set('i', key, pressed, { buffer = bufnr, expr = true, desc = 'Dovetail: ' .. action:gsub('_', ' ') })
  ours[pressed] = replaced
end

--- Remove our mappings from a buffer, and restore its own: that of the key that asks for ghost text, or all others.
---@param bufnr integer
---@param asks boolean
local function unmap(bufnr, asks)
  for _, mapping in ipairs(vim.api.nvim_buf_get_keymap(bufnr, 'i')) do
    local replaced = ours[mapping.callback]
    if (mapping.desc == ASKS) ~= asks then
      replaced = nil
    end
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

--- Map the keys that a buffer needs now, and no others: all but one while it shows ghost text, else the key that has
--- just accepted some.
---@param bufnr integer
function M.map_needed(bufnr)
  if not vim.api.nvim_buf_is_valid(bufnr) then
    return
  end
  unmap(bufnr, false)
  for action, key in pairs(options.wanted_keys()) do
    if action ~= 'complete' and (mapped[bufnr] or grace.key(bufnr) == key) then
      map(bufnr, key, action)
    end
  end
end

--- Map the keys of a buffer if it shows ghost text, and remove our mappings if not.
---@param bufnr integer
---@param is_shown boolean
function M.follow(bufnr, is_shown)
  if is_shown == (mapped[bufnr] or false) or not vim.api.nvim_buf_is_valid(bufnr) then
    return
  end
  mapped[bufnr] = is_shown or nil
  M.map_needed(bufnr)
end

--- Map the key that asks for ghost text in a buffer that is served, and remove the mapping if it is not.
---@param bufnr integer
---@param is_served boolean
function M.serve(bufnr, is_served)
  if not vim.api.nvim_buf_is_valid(bufnr) then
    return
  end
  unmap(bufnr, true)
  served[bufnr], unserved[bufnr] = is_served or nil, nil
  local key = options.wanted_keys().complete
  if is_served and key then
    map(bufnr, key, 'complete')
  end
  if is_served then
    require('dovetail.waiting').served(bufnr)
  end
end

--- Map the key that asks for ghost text in a buffer that no server serves, or none yet.
---@param bufnr integer
function M.leave_unserved(bufnr)
  if served[bufnr] or not vim.api.nvim_buf_is_valid(bufnr) then
    return
  end
  unmap(bufnr, true)
  local key = options.wanted_keys().complete
  unserved[bufnr] = true
  if key then
    map(bufnr, key, 'complete')
  end
end

--- Follow changed options.
function M.renew()
  for bufnr in pairs(unserved) do
    M.leave_unserved(bufnr)
  end
  for bufnr in pairs(served) do
    M.serve(bufnr, true)
  end
  for bufnr in pairs(mapped) do
    M.follow(bufnr, false)
    M.follow(bufnr, true)
  end
end

return M
