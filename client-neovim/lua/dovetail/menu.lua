--- The menu of completions, in which a Neovim without ghost text shows Dovetail's.

local notice = require('dovetail.notice')

local M = {}

--- Return the sentences that say what works in a Neovim without ghost text, and how.
---@return string
function M.advice()
  local how = vim.lsp.completion
      and 'Completions are listed after signs such as `(` and `=`, and with `<C-X><C-O>` in insert mode.'
    or '`<C-X><C-O>` in insert mode lists completions.'
  return 'This Neovim has no ghost text, which comes with 0.12. ' .. how
end

--- Give the advice, once for each version of Neovim: those who stay with it know it then.
function M.advise_once()
  local folder = vim.fn.stdpath('state') --[[@as string]]
  local path, version = folder .. '/dovetail-advised', tostring(vim.version())
  local is_read, before = pcall(vim.fn.readfile, path)
  if is_read and before[1] == version then
    return
  end
  pcall(vim.fn.mkdir, folder, 'p')
  pcall(vim.fn.writefile, { version }, path) -- where nothing can be written, each start gives it
  notice.warn(M.advice())
end

--- Keep a menu of one entry from inserting it unasked, as Neovim does unless 'completeopt' says otherwise.
---@param bufnr integer
local function wait_for_choice(bufnr)
  local own = vim.bo[bufnr].completeopt
  local chosen = own ~= '' and own or vim.go.completeopt
  if not chosen:find('noselect', 1, true) and not chosen:find('noinsert', 1, true) then
    vim.api.nvim_set_option_value('completeopt', chosen .. ',menuone,noselect', { buf = bufnr })
  end
end

--- Let Neovim show completions of a server in a buffer as far as it can.
---@param client vim.lsp.Client
---@param bufnr integer
function M.enable(client, bufnr)
  if vim.lsp.completion then
    pcall(wait_for_choice, bufnr) -- in early versions of 0.11 no buffer has an option of its own
    vim.lsp.completion.enable(true, client.id, bufnr, { autotrigger = true })
  end
  M.advise_once()
end

--- Show the menu, or go on to its next entry. Works in the expression of a mapping.
---@return boolean true
function M.open()
  vim.api.nvim_feedkeys(vim.keycode(vim.fn.pumvisible() ~= 0 and '<C-n>' or '<C-x><C-o>'), 'n', false)
  return true
end

return M
