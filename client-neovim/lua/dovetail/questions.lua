--- The last request for completions of each buffer, for `:Dovetail why`, and to know whether it has an answer.
---
--- Leaving insert mode cancels a request that has no answer yet, and typing `:Dovetail why` leaves insert mode. The
--- cancelled request is therefore remembered, so that it can be sent again.

local M = {}

---@class dovetail.Question
---@field id integer
---@field type 'pending'|'cancel'|'complete'
---@field tick integer the buffer's text at that time, as `b:changedtick`
---@field cursor integer[] as from nvim_win_get_cursor()

---@type table<integer, dovetail.Question>
local last = {} -- buffer → its last request

--- Remember the requests of a buffer.
---@param bufnr integer
---@param group integer
function M.follow(bufnr, group)
  vim.api.nvim_create_autocmd('LspRequest', {
    buffer = bufnr,
    group = group,
    callback = function(event)
      local request = event.data.request
      if request.method ~= 'textDocument/inlineCompletion' then
        return
      elseif request.type == 'pending' then
        last[bufnr] = {
          id = event.data.request_id,
          type = 'pending',
          tick = vim.api.nvim_buf_get_changedtick(bufnr),
          cursor = vim.api.nvim_win_get_cursor(0),
        }
      elseif last[bufnr] and last[bufnr].id == event.data.request_id and last[bufnr].type == 'pending' then
        last[bufnr].type = request.type -- a cancelled request is also completed, by an error
        require('dovetail.waiting').ended(bufnr)
      end
    end,
  })
end

--- Whether the last request of a buffer has no answer yet.
---@param bufnr integer
---@return boolean
function M.is_open(bufnr)
  return last[bufnr] ~= nil and last[bufnr].type == 'pending'
end

--- Give up the last request of a buffer that no server serves any more: nobody answers it.
---@param bufnr integer
function M.give_up(bufnr)
  if M.is_open(bufnr) then
    last[bufnr].type = 'cancel'
  end
end

--- Return the parameters of the last request of the current buffer if it has no answer; nil if it has one, or if the
--- text has changed.
---@param encoding string the client's offset encoding
---@return table?
function M.unanswered(encoding)
  local bufnr = vim.api.nvim_get_current_buf()
  local question = last[bufnr]
  if not question or question.type == 'complete' or question.tick ~= vim.api.nvim_buf_get_changedtick(bufnr) then
    return nil
  end
  local row, column = question.cursor[1] - 1, question.cursor[2]
  local line = vim.api.nvim_buf_get_lines(bufnr, row, row + 1, true)[1]
  return {
    textDocument = vim.lsp.util.make_text_document_params(bufnr),
    position = { line = row, character = vim.str_utfindex(line, encoding, column, false) },
    context = { triggerKind = vim.lsp.protocol.InlineCompletionTriggerKind.Automatic },
  }
end

return M
