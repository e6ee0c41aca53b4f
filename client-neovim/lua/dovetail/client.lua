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

---@return table
local function config()
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.experimental = vim.tbl_extend('force', capabilities.experimental or {}, { didChangeStatus = true })
  return {
    name = 'dovetail',
    cmd = options.current.cmd,
    filetypes = options.current.filetypes,
    root_markers = options.current.root_markers,
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
  if vim.fn.has('nvim-0.11') == 1 then
    client:request('workspace/executeCommand', params, handler)
  else
    client.request('workspace/executeCommand', params, handler)
  end
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

--- Start the client wherever it belongs, and give one that runs the new settings.
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
    local changed = { settings = { dovetail = settings() } }
    if vim.fn.has('nvim-0.11') == 1 then
      client:notify('workspace/didChangeConfiguration', changed)
    else
      client.notify('workspace/didChangeConfiguration', changed)
    end
    for bufnr in pairs(client.attached_buffers) do
      attach(client, bufnr)
    end
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
    vim.lsp.start(vim.tbl_extend('force', config(), { root_dir = root }), { bufnr = bufnr })
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
