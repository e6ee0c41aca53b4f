--- The language client: how it is started, and what happens when it is at a buffer.

local notice = require('dovetail.notice')
local options = require('dovetail.options')

local M = {}

local group = vim.api.nvim_create_augroup('dovetail', { clear = true })
local watching = vim.api.nvim_create_augroup('dovetail.watching', { clear = true })

--- Whether this Neovim shows inline completions.
---@return boolean
function M.has_inline()
  return vim.lsp.inline_completion ~= nil
end

--- The server's settings, with what this editor brings along.
---@return table<string, any>
local function settings()
  local mine = M.has_inline() and { debounce = 0 } or { completion_items = true }
  -- Neovim waits 200 ms by itself before it asks.
  return vim.tbl_extend('force', mine, options.current.settings)
end

--- Call a method of a client; in Neovim 0.10 a client's functions know it already.
---@param client vim.lsp.Client
---@param method string
local function call(client, method, ...)
  if vim.fn.has('nvim-0.11') == 1 then
    client[method](client, ...)
  else
    client[method](...)
  end
end

--- Whether a server was started as it would be now.
---@param client vim.lsp.Client
---@param wanted table
---@return boolean
local function is_as_wanted(client, wanted)
  return vim.deep_equal(client.config.cmd, wanted.cmd)
    and vim.deep_equal(client.config.root_markers, wanted.root_markers)
end

--- Whether a running server serves a new buffer too. Neovim's own answer is one server, so one model, for each project.
---@param client vim.lsp.Client
---@param wanted table
---@return boolean
local function is_shared(client, wanted)
  return client.name == wanted.name
    and not client:is_stopped()
    and is_as_wanted(client, wanted)
    and client.config.root_dir == wanted.root_dir -- without markers there is none
end

---@return table
local function config()
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.experimental = vim.tbl_extend('force', capabilities.experimental or {}, { didChangeStatus = true })
  return {
    name = 'dovetail',
    cmd = options.current.cmd,
    filetypes = options.current.filetypes,
    root_markers = options.current.root_markers,
    reuse_client = is_shared,
    init_options = settings(),
    capabilities = capabilities,
    handlers = {
      didChangeStatus = function(_, status, context)
        require('dovetail.status').take(context.client_id, status)
      end,
    },
    on_exit = function(code, _, client_id)
      vim.schedule(function()
        require('dovetail.status').take(client_id, nil)
      end)
      if code ~= 0 then
        vim.schedule(function()
          notice.warn(('the server ended with exit code %d; `:checkhealth dovetail` may say why.'):format(code))
        end)
      end
    end,
  }
end

--- The clients of Dovetail, at a buffer if one is given.
---@param bufnr? integer
---@return vim.lsp.Client[]
function M.all(bufnr)
  return vim.lsp.get_clients({ name = 'dovetail', bufnr = bufnr })
end

--- Ask the server for one of its commands; `answer` gets what it says, or nothing where that failed.
---@param client vim.lsp.Client
---@param name string
---@param arguments any[]
---@param answer fun(result: table)
function M.command(client, name, arguments, answer)
  local params = { command = 'dovetail.server.' .. name, arguments = arguments }
  local function handler(failure, result)
    if failure then
      notice.warn(failure.message)
    else
      answer(result)
    end
  end
  call(client, 'request', 'workspace/executeCommand', params, handler)
end

---@param client vim.lsp.Client
---@param bufnr integer
local function attach(client, bufnr)
  if M.has_inline() then
    local ghost = require('dovetail.ghost')
    vim.lsp.inline_completion.enable(true, { bufnr = bufnr })
    vim.api.nvim_clear_autocmds({ group = watching, buffer = bufnr })
    ghost.after_answer(bufnr, ghost.tell_shown, false, watching)
  elseif vim.lsp.completion then
    vim.lsp.completion.enable(true, client.id, bufnr, { autotrigger = true })
  end
  require('dovetail.keys').map(bufnr)
end

--- Give a server that runs the new settings, and end one that would be started in another way now.
---@param client vim.lsp.Client
---@param chosen dovetail.Options
local function follow(client, chosen)
  if not is_as_wanted(client, chosen) then
    call(client, 'stop')
    return
  end
  call(client, 'notify', 'workspace/didChangeConfiguration', { settings = { dovetail = settings() } })
  for bufnr in pairs(client.attached_buffers) do
    attach(client, bufnr)
  end
end

--- Start the client wherever it belongs; one that runs follows what was chosen.
---@param chosen dovetail.Options
function M.start(chosen)
  vim.api.nvim_clear_autocmds({ group = group })
  vim.api.nvim_create_autocmd('LspAttach', {
    group = group,
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == 'dovetail' then
        attach(client, event.buf)
      end
    end,
  })
  for _, client in ipairs(M.all()) do
    follow(client, chosen)
  end
  if vim.lsp.config then
    vim.lsp.config('dovetail', config())
    vim.lsp.enable('dovetail')
    return
  end
  M.start_by_file_type(chosen)
end

--- What `vim.lsp.enable` does, for Neovim 0.10.
---@param chosen dovetail.Options
function M.start_by_file_type(chosen)
  local function begin(bufnr)
    local root = vim.fs.root(bufnr, chosen.root_markers)
    local wanted = vim.tbl_extend('force', config(), { root_dir = root })
    vim.lsp.start(wanted, { bufnr = bufnr, reuse_client = is_shared })
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = chosen.filetypes,
    callback = function(event)
      begin(event.buf)
    end,
  })
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.tbl_contains(chosen.filetypes, vim.bo[bufnr].filetype) then
      begin(bufnr)
    end
  end
end

return M
