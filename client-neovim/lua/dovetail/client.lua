--- The language client: starting the server, restarting it, and attaching it to buffers.

local awaited = require('dovetail.awaited')
local missing = require('dovetail.missing')
local notice = require('dovetail.notice')
local options = require('dovetail.options')
local restart = require('dovetail.restart')

local M = {}

local group = vim.api.nvim_create_augroup('dovetail', { clear = true })
local watching = vim.api.nvim_create_augroup('dovetail.watching', { clear = true })

local ENDING = 3000 -- milliseconds that a stopped server has before a new one is started all the same

--- Whether this Neovim shows inline completions.
---@return boolean
function M.has_inline()
  return vim.lsp.inline_completion ~= nil
end

--- Return the server's settings, with those that this editor needs.
---@return table<string, any>
local function settings()
  local mine = M.has_inline() and { debounce = 0 } or { completion_items = true }
  -- Neovim itself waits 200 ms before it sends a request.
  return vim.tbl_extend('force', mine, options.current.settings)
end

--- Call a method of a client; in Neovim 0.10 a client's functions take no `self`.
---@param client vim.lsp.Client
---@param method string
local function call(client, method, ...)
  if vim.fn.has('nvim-0.11') == 1 then
    return client[method](client, ...)
  end
  return client[method](...)
end

--- Whether a server was started as it would be now.
---@param client vim.lsp.Client
---@param words string[]
---@param root_markers string[]
---@return boolean
local function is_as_wanted(client, words, root_markers)
  return vim.deep_equal(client.config.words, words) and vim.deep_equal(client.config.root_markers, root_markers)
end

--- Whether a running server can serve a new buffer too. Neovim's default is one server, and so one model, for each
--- project.
---@param client vim.lsp.Client
---@param wanted table
---@return boolean
local function is_shared(client, wanted)
  return client.name == wanted.name
    and not call(client, 'is_stopped')
    and is_as_wanted(client, wanted.words, wanted.root_markers)
    and client.config.root_dir == wanted.root_dir -- nil without markers
end

--- Return the root folder of a buffer's project, nil without markers.
---@param bufnr integer
---@return string?
local function root_of(bufnr)
  local markers = options.current.root_markers
  return #markers > 0 and vim.fs.root(bufnr, markers) or nil
end

--- Return the function that starts the server's process.
---
--- It reports every end to `restart` instead of Neovim, whose message about a failed server fills the screen.
---@param words string[]
---@param root? string used where Neovim passes no configuration (0.10)
---@return function
local function starter(words, root)
  return function(dispatchers, resolved)
    local on_exit = dispatchers.on_exit
    local watched = vim.tbl_extend('force', dispatchers, {
      on_exit = function(code, signal)
        on_exit(0, 0)
        vim.schedule(function()
          restart.ended(resolved and resolved.root_dir or root, code, signal, M.serve)
        end)
      end,
    })
    local given = resolved or {}
    return vim.lsp.rpc.start(words, watched, { cwd = given.cmd_cwd, env = given.cmd_env, detached = given.detached })
  end
end

---@param root? string
---@return table
local function config(root)
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  local ways = { models = '`:Dovetail models`' } -- stands in the server's sentences for the command of a terminal
  local experimental = { didChangeStatus = true, asksAgain = true, ways = ways }
  capabilities.experimental = vim.tbl_extend('force', capabilities.experimental or {}, experimental)
  return {
    name = 'dovetail',
    cmd = starter(options.current.cmd, root),
    words = options.current.cmd, -- the command line, to compare
    filetypes = options.current.filetypes,
    root_markers = options.current.root_markers,
    root_dir = vim.lsp.config and function(bufnr, on_dir)
      if missing.is_installed() then
        awaited.begin(bufnr)
        on_dir(root_of(bufnr))
      end
    end or nil,
    reuse_client = is_shared,
    init_options = settings(),
    capabilities = capabilities,
    handlers = {
      -- Neovim's own handler stops the user at "Press ENTER" where a message is long.
      ['window/showMessage'] = function(_, message)
        local is_warning = message.type <= vim.lsp.protocol.MessageType.Warning
        notice[is_warning and 'warn' or 'tell'](message.message)
        return vim.NIL
      end,
      didChangeStatus = function(_, status, context)
        require('dovetail.status').take(context.client_id, status)
      end,
    },
    on_exit = function(_, _, client_id)
      vim.schedule(function()
        require('dovetail.status').take(client_id, nil)
      end)
    end,
  }
end

--- Return the clients of Dovetail, of one buffer if it is given.
---@param bufnr? integer
---@return vim.lsp.Client[]
function M.all(bufnr)
  return vim.lsp.get_clients({ name = 'dovetail', bufnr = bufnr })
end

--- Whether a buffer is to be served.
---@param bufnr integer
---@return boolean
local function is_served(bufnr)
  return vim.api.nvim_buf_is_loaded(bufnr)
    and vim.bo[bufnr].buftype == ''
    and vim.tbl_contains(options.current.filetypes, vim.bo[bufnr].filetype)
end

--- Return the open buffers that are to be served and have no server.
---@return integer[]
function M.unserved()
  return vim.tbl_filter(function(bufnr)
    return is_served(bufnr) and #M.all(bufnr) == 0
  end, vim.api.nvim_list_bufs())
end

--- Serve a buffer with a server that runs, or start one.
---@param bufnr integer
local function begin(bufnr)
  if missing.is_installed() then
    local root = root_of(bufnr)
    local known = vim.lsp.config and vim.deepcopy(vim.lsp.config.dovetail) or config(root)
    known.root_dir = root -- nil without markers
    vim.lsp.start(known, { bufnr = bufnr, reuse_client = is_shared })
  end
end

--- Serve all open buffers of a root folder.
---@param root? string
function M.serve(root)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if is_served(bufnr) and root_of(bufnr) == root then
      begin(bufnr)
    end
  end
end

--- Stop the server of a buffer if one runs, and start another. The earlier ends no longer count.
---@param bufnr integer
function M.restart(bufnr)
  local root = root_of(bufnr)
  restart.reset(root)
  restart.begun(root)
  local running = M.all(bufnr)
  for _, client in ipairs(running) do
    call(client, 'stop')
  end
  local function are_stopped()
    return vim.iter(running):all(function(client)
      return vim.lsp.get_client_by_id(client.id) == nil
    end)
  end
  local begun = vim.uv.now()
  local function start_when_stopped()
    if are_stopped() then
      M.serve(root)
    elseif vim.uv.now() - begun > ENDING then
      for _, client in ipairs(running) do
        call(client, 'stop', true)
      end
      begun = vim.uv.now()
      vim.defer_fn(start_when_stopped, 50)
    else
      vim.defer_fn(start_when_stopped, 50)
    end
  end
  start_when_stopped()
end

--- Stop all servers and wait until they have ended, for a while at most.
---@param patience integer milliseconds
function M.stop_all(patience)
  for _, client in ipairs(M.all()) do
    restart.reset(client.config.root_dir)
    call(client, 'stop')
  end
  vim.wait(patience, function()
    return #M.all() == 0
  end, 20)
end

--- Return whether the user has restarted the server of a buffer, and none runs yet.
---@param bufnr integer
---@return boolean
function M.is_restarting(bufnr)
  return options.current ~= nil and restart.is_asked(root_of(bufnr))
end

--- Return what happened to the server of a buffer; nil if it did not end unexpectedly.
---@param bufnr integer
---@return dovetail.End?
function M.last_end(bufnr)
  return options.current and restart.last_end(root_of(bufnr)) or nil
end

--- Run one of the server's commands.
---@param client vim.lsp.Client
---@param name string
---@param arguments any[]
---@param answer fun(result: table) called with the result; a failure is shown instead
---@param how? { quietly: boolean } quietly: show no failure
function M.command(client, name, arguments, answer, how)
  local params = { command = 'dovetail.server.' .. name, arguments = arguments }
  local function handler(failure, result)
    if failure then
      if not (how and how.quietly) then
        notice.warn(failure.message)
      end
    else
      answer(result)
    end
  end
  call(client, 'request', 'workspace/executeCommand', params, handler)
end

--- Send a request for completions that nobody sees, so that the server has an answer to explain.
---@param client vim.lsp.Client
---@param params table
---@param bufnr integer
---@param done fun()
function M.ask_again(client, params, bufnr, done)
  call(client, 'request', 'textDocument/inlineCompletion', params, done, bufnr)
end

---@param client vim.lsp.Client
---@param bufnr integer
local function attach(client, bufnr)
  awaited.finish(bufnr)
  restart.started(client.config.root_dir)
  if M.has_inline() then
    vim.lsp.inline_completion.enable(true, { bufnr = bufnr })
    vim.api.nvim_clear_autocmds({ group = watching, buffer = bufnr })
    require('dovetail.ghost').follow(bufnr, watching)
    require('dovetail.questions').follow(bufnr, watching)
  else
    require('dovetail.keys').serve(bufnr, true)
    require('dovetail.menu').enable(client, bufnr)
  end
end

--- Send the new settings to a running server, and stop one that would be started differently now.
---@param client vim.lsp.Client
---@param chosen dovetail.Options
local function follow(client, chosen)
  if not is_as_wanted(client, chosen.cmd, chosen.root_markers) then
    call(client, 'stop')
    return
  end
  call(client, 'notify', 'workspace/didChangeConfiguration', { settings = { dovetail = settings() } })
  for bufnr in pairs(client.attached_buffers) do
    attach(client, bufnr)
  end
end

--- Start the client for all open and future files; a running server takes the new options.
---@param chosen dovetail.Options
function M.start(chosen)
  vim.api.nvim_clear_autocmds({ group = group })
  vim.api.nvim_create_autocmd({ 'LspAttach', 'LspDetach' }, {
    group = group,
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if not client or client.name ~= 'dovetail' then
        return
      elseif event.event == 'LspAttach' then
        attach(client, event.buf)
        require('dovetail.status').refresh(client, event.buf)
      elseif M.has_inline() then
        require('dovetail.ghost').leave(event.buf)
      else
        require('dovetail.keys').serve(event.buf, false)
      end
    end,
  })
  require('dovetail.colours').follow(group)
  require('dovetail.status').follow(group)
  require('dovetail.unserved').follow(group)
  for _, client in ipairs(M.all()) do
    follow(client, chosen)
  end
  require('dovetail.keys').renew()
  if vim.lsp.config then
    vim.lsp.config('dovetail', config())
    vim.lsp.enable('dovetail')
    return
  end
  M.start_by_file_type(chosen)
end

--- Do the work of `vim.lsp.enable`, for Neovim 0.10.
---@param chosen dovetail.Options
function M.start_by_file_type(chosen)
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = chosen.filetypes,
    callback = function(event)
      begin(event.buf)
    end,
  })
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if is_served(bufnr) then
      begin(bufnr)
    end
  end
end

return M
