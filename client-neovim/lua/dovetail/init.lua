--- Completions that fit both sides of the cursor: the client of Dovetail's language server.
---
--- Neovim 0.12 shows them as ghost text; an older one lists them among its completions.

local M = {}

--- Set up the client with options (see `:help dovetail-options`); again with others while it runs.
---@param options? dovetail.Options
function M.setup(options)
  local chosen, mistake = require('dovetail.options').take(options)
  if not chosen then
    require('dovetail.notice').warn(mistake)
    return
  end
  require('dovetail.client').start(chosen)
end

--- A few words for a status line: empty where Dovetail does not serve the current buffer.
---@return string
function M.status()
  return require('dovetail.status').words()
end

--- Accept the shown completion; false where there is none.
---@return boolean
function M.accept()
  return require('dovetail.ghost').accept('all')
end

--- Accept its first word.
---@return boolean
function M.accept_word()
  return require('dovetail.ghost').accept('word')
end

--- Accept its first line.
---@return boolean
function M.accept_line()
  return require('dovetail.ghost').accept('line')
end

--- Show another candidate; they are asked for the first time. False where there is no ghost text at all.
---@param count? integer how many further on, 1 if left out; negative goes back
---@return boolean
function M.cycle(count)
  return require('dovetail.ghost').cycle(count or 1)
end

return M
