--- Ghost text that a user waits for while no server or no model can answer: it is asked for as soon as one can, without
--- another key.

local completor = require('dovetail.completor')
local questions = require('dovetail.questions')

local M = {}

local PATIENCE = 1500 -- milliseconds after which a user who asked by hand is told that there is no server yet

---@type table<integer, boolean>
local open = {} -- buffers whose last request had no answer yet when the server recovered

--- Ask for ghost text in the current buffer as a key would, where the user is inserting and none is shown.
---@param bufnr integer
local function ask(bufnr)
  local this = completor.of(bufnr)
  local is_inserting = vim.api.nvim_get_mode().mode == 'i'
  if not this or not is_inserting or bufnr ~= vim.api.nvim_get_current_buf() or completor.is_shown(bufnr) then
    return
  elseif questions.is_open(bufnr) then
    -- The answer that the model could not give may arrive after the news that it was restarted.
    open[bufnr] = true
  else
    this:request(vim.lsp.protocol.InlineCompletionTriggerKind.Automatic)
  end
end

--- Take note that a server can answer requests that it could not answer before.
---@param client_id integer
function M.recovered(client_id)
  local bufnr = vim.api.nvim_get_current_buf()
  if vim.lsp.inline_completion and vim.lsp.buf_is_attached(bufnr, client_id) then
    ask(bufnr)
  end
end

--- Take note that a request of a buffer has ended.
---@param bufnr integer
function M.ended(bufnr)
  if open[bufnr] then
    open[bufnr] = nil
    vim.schedule(function()
      ask(bufnr) -- the handler of the answer runs before this
    end)
  end
end

---@type table<integer, boolean>
local wished = {} -- buffers in which a user asked by hand when no server served them yet

--- Take note that a user asks by hand in a buffer that no server serves yet.
---@param bufnr integer
function M.wish(bufnr)
  wished[bufnr] = true
  vim.defer_fn(function()
    if wished[bufnr] then
      local last = require('dovetail.client').last_end(bufnr)
      local sentence = last and require('dovetail.restart').sentence(last) or 'The server is still starting.'
      require('dovetail.notice').tell(sentence)
    end
  end, PATIENCE)
end

--- Take note that a server serves a buffer from now on: what was asked for by hand is asked for.
---@param bufnr integer
function M.served(bufnr)
  if not wished[bufnr] then
    return
  end
  wished[bufnr] = nil
  vim.schedule(function()
    local is_inserting = vim.api.nvim_get_mode().mode == 'i'
    if is_inserting and bufnr == vim.api.nvim_get_current_buf() and not require('dovetail.ghost').complete() then
      require('dovetail.menu').open()
    end
  end)
end

return M
