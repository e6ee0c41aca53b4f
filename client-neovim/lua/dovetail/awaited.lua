--- Buffers that wait for a server: Neovim attaches one a moment after it has read a file, also where it runs already.

local M = {}

local SOON = 1000 -- milliseconds in which Neovim starts a server

---@type table<integer, integer>
local since = {} -- buffers for which Neovim was told to attach a server, and when

--- Take note that Neovim was told to attach a server to a buffer.
---@param bufnr integer
function M.begin(bufnr)
  since[bufnr] = vim.uv.now()
end

--- Take note that a server was attached to a buffer.
---@param bufnr integer
function M.finish(bufnr)
  since[bufnr] = nil
end

--- Whether a server is about to be attached to a buffer.
---@param bufnr integer
---@return boolean
function M.is_due(bufnr)
  return since[bufnr] ~= nil and vim.uv.now() - since[bufnr] < SOON
end

--- Whether the server of a buffer has been started, and has not answered yet.
---@param bufnr integer
---@return boolean
function M.is_starting(bufnr)
  local starting = { name = 'dovetail', bufnr = bufnr, _uninitialized = true }
  return M.is_due(bufnr)
    or vim.iter(vim.lsp.get_clients(starting)):any(function(client)
      return not client.initialized
    end)
end

return M
