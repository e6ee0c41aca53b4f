--- Ghost text that always fits: it disappears with the first key that differs from it, and returns when that key is
--- deleted.
---
--- Neovim itself keeps showing an item until the server has answered for the new text. This module replaces the methods
--- of the buffer's internal object that show and hide an item, and remembers the items that were shown.

local completor = require('dovetail.completor')
local keys = require('dovetail.keys')

local M = {}

local MOST = 16 -- remembered items of a buffer

---@class dovetail.Memory
---@field row integer the line of all items, from 0
---@field entries { item: table, items: table, head: string, tail: string }[] the oldest first

--- The remembered items by buffer. A change outside their line clears them, because they may not fit any more.
---@type table<integer, dovetail.Memory>
local memories = {}

--- Return the text of the cursor's line before an item and after the cursor; nil if the cursor is on another line.
---@param item table
---@return string? head
---@return string? tail
---@return integer row
local function surroundings(item)
  local row, column = item.range:to_extmark()
  local cursor = vim.api.nvim_win_get_cursor(0)
  if cursor[1] - 1 ~= row or cursor[2] < column then
    return nil, nil, row
  end
  local line = vim.api.nvim_get_current_line()
  return line:sub(1, column), line:sub(cursor[2] + 1), row
end

--- Remember the item that has just been selected, with the other candidates of the answer.
---@param this table
local function remember(this)
  local item = this.current
  if not item or not item.range or vim.api.nvim_get_current_buf() ~= this.bufnr then
    return
  end
  local head, tail, row = surroundings(item)
  if not head then
    return
  end
  completor.keep_tail(item)
  local memory = memories[this.bufnr]
  if not memory or memory.row ~= row then
    memory = { row = row, entries = {} }
    memories[this.bufnr] = memory
  end
  local state = this.client_state[item.client_id]
  table.insert(memory.entries, { item = item, items = state and state.items, head = head, tail = tail })
  if #memory.entries > MOST then
    table.remove(memory.entries, 1)
  end
end

--- Return the latest remembered item that fits the text around the cursor, or nil.
---@param this table
---@return table?
local function recall(this)
  local memory = memories[this.bufnr]
  for index = memory and #memory.entries or 0, 1, -1 do
    local entry = memory.entries[index]
    local head, tail = surroundings(entry.item)
    local state = this.client_state[entry.item.client_id]
    if state and head == entry.head and tail == entry.tail and completor.remainder(entry.item) then
      state.items = entry.items -- so that the keys for other candidates show those of this item
      return entry.item
    end
  end
  return nil
end

--- Whether a change of lines can leave remembered items valid: only a change within their line can.
---@param bufnr integer
---@param first integer
---@param last_old integer
---@param last_new integer
local function forget_after(bufnr, first, last_old, last_new)
  local memory = memories[bufnr]
  if memory and (first ~= memory.row or last_old ~= first + 1 or last_new ~= first + 1) then
    memories[bufnr] = nil
  end
end

--- Map the keys while ghost text is shown, and only then.
---@param this table
local function follow(this)
  keys.follow(this.bufnr, completor.is_shown(this.bufnr))
end

--- Replace the methods of a buffer's internal object; does nothing if that has been done.
---@param bufnr integer
function M.watch(bufnr)
  local this = completor.of(bufnr)
  if not this or rawget(this, 'dovetail') then
    return
  end
  local show, hide, select = this.show, this.hide, this.select
  local is_showing = false
  this.dovetail = true
  this.show = function(self, hint)
    -- Only the current window has a cursor to compare with.
    if vim.api.nvim_get_current_buf() == bufnr then
      local fits = self.current and completor.remainder(self.current)
      self.current = fits and self.current or recall(self)
    end
    is_showing = true
    show(self, hint)
    completor.set_apart(bufnr)
    is_showing = false
    follow(self)
  end
  this.hide = function(self)
    hide(self)
    if not is_showing then
      follow(self)
    end
  end
  this.select = function(self, ...)
    select(self, ...)
    if self.current then
      remember(self)
    else
      self:show() -- an answer without a text leaves the rest of one that was accepted in part
    end
  end
  vim.api.nvim_buf_attach(bufnr, false, {
    on_lines = function(_, _, _, first, last_old, last_new)
      if completor.of(bufnr) ~= this then
        return true -- detaches
      end
      forget_after(bufnr, first, last_old, last_new)
    end,
    on_reload = function()
      memories[bufnr] = nil
    end,
  })
end

--- Whether Neovim lets this module watch a buffer.
---@param bufnr integer
---@return boolean
function M.is_watched(bufnr)
  local this = completor.of(bufnr)
  return this ~= nil and rawget(this, 'dovetail') == true
end

--- Forget the remembered items of a buffer, or of all buffers.
---@param bufnr? integer
function M.forget(bufnr)
  if bufnr then
    memories[bufnr] = nil
  else
    memories = {}
  end
end

return M
