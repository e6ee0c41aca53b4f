--- The moment after a key has accepted ghost text: where there is no more to accept, the same key then does nothing.
---
--- Neovim takes an Alt key that is not mapped for <Esc> and the other key. One press too many of a key that accepts
--- word by word would therefore leave insert mode, and what is typed next would run as commands. The moment ends with
--- whatever else the user does: at another text or another place, each key is what it is without this plugin.

local M = {}

local LENGTH = 1000 -- milliseconds after the last press
local MODIFIED = '\128\252' -- the first bytes of the code of a key with modifiers; their bits follow
local ALT = 8

---@class dovetail.Grace
---@field key string
---@field tick integer the buffer's text, as `b:changedtick`
---@field cursor integer[] as from nvim_win_get_cursor()
---@field ended fun() called when the time is over

---@type table<integer, dovetail.Grace>
local present = {} -- buffer → the moment that lasts

--- Whether a key leaves insert mode where nothing is mapped to it.
---@param key string
---@return boolean
function M.is_needed(key)
  local code = vim.keycode(key)
  return vim.startswith(code, MODIFIED) and bit.band(code:byte(3), ALT) ~= 0
end

--- Begin the moment after a key has accepted text in the current buffer, or begin it anew.
---@param key string
---@param ended fun()
function M.begin(key, ended)
  local bufnr = vim.api.nvim_get_current_buf()
  local this = {
    key = key,
    tick = vim.api.nvim_buf_get_changedtick(bufnr),
    cursor = vim.api.nvim_win_get_cursor(0),
    ended = ended,
  }
  present[bufnr] = this
  vim.defer_fn(function()
    if present[bufnr] == this then
      M.finish(bufnr)
    end
  end, LENGTH)
end

--- Return the key whose moment lasts in a buffer, nil if there is none.
---@param bufnr integer
---@return string?
function M.key(bufnr)
  return present[bufnr] and present[bufnr].key
end

--- Whether a key of the current buffer does nothing now. Pressed once more, it does nothing for another moment.
---@param key string
---@return boolean
function M.takes(key)
  local this = present[vim.api.nvim_get_current_buf()]
  local is_meant = this ~= nil
    and this.key == key
    and this.tick == vim.api.nvim_buf_get_changedtick(0)
    and vim.deep_equal(this.cursor, vim.api.nvim_win_get_cursor(0))
  if is_meant then
    M.begin(key, this.ended)
  end
  return is_meant
end

--- End the moment of a buffer if one lasts.
---@param bufnr integer
function M.finish(bufnr)
  local this = present[bufnr]
  present[bufnr] = nil
  if this then
    this.ended()
  end
end

return M
