--- The client of Dovetail's language server, whose completions fit both sides of the cursor.
---
--- Neovim 0.12 shows them as ghost text; older versions list them among the other completions.

local M = {}

--- Set up the client (see `:help dovetail-options`). May be called again with other options.
---@param options? dovetail.Options
function M.setup(options)
  local checked = require('dovetail.options')
  local chosen = checked.take(options)
  if chosen then
    require('dovetail.client').start(chosen)
  else
    require('dovetail.notice').warn(checked.mistake)
  end
end

--- Return the status for a status line: empty if Dovetail does not serve the current buffer.
---@return string
function M.status()
  return require('dovetail.status').words()
end

--- Accept the ghost text; return false if there is none.
---@return boolean
function M.accept()
  return require('dovetail.ghost').accept('all')
end

--- Accept the first word of the ghost text.
---@return boolean
function M.accept_word()
  return require('dovetail.ghost').accept('word')
end

--- Accept the first line of the ghost text.
---@return boolean
function M.accept_line()
  return require('dovetail.ghost').accept('line')
end

--- Hide the ghost text, and stay in insert mode; return false if there is none.
---@return boolean
function M.dismiss()
  return require('dovetail.ghost').dismiss()
end

--- Ask for ghost text by hand, in insert mode; return false if Neovim has no ghost text.
---@return boolean
function M.complete()
  return require('dovetail.ghost').complete()
end

--- Show another candidate; the first call requests several. Return false if Neovim has no ghost text.
---@param count? integer number of candidates to move on, default 1; negative moves back
---@return boolean
function M.cycle(count)
  return require('dovetail.ghost').cycle(count or 1)
end

return M
