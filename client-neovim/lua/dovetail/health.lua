--- `:checkhealth dovetail`.

local awaited = require('dovetail.awaited')
local client = require('dovetail.client')
local colours = require('dovetail.colours')
local environment = require('dovetail.environment')
local options = require('dovetail.options')
local restart = require('dovetail.restart')
local status = require('dovetail.status')

local M = {}

local WAITING = 20000 -- milliseconds; reading Python and its packages from a cold disk takes long

local function check_editor()
  local version = tostring(vim.version())
  if client.has_inline() then
    vim.health.ok(('Neovim %s shows inline completions'):format(version))
  elseif vim.lsp.completion then
    vim.health.warn(
      ('Neovim %s has no inline completions; Dovetail appears among the other ones'):format(version),
      'Install Neovim 0.12 or later for ghost text.'
    )
  else
    vim.health.warn(
      ('Neovim %s has no inline completions; Dovetail appears with `<C-X><C-O>`'):format(version),
      'Install Neovim 0.12 or later for ghost text.'
    )
  end
end

--- Report whether the server can be started; return false if it cannot.
---@param cmd string[]
---@return boolean
local function check_server(cmd)
  if vim.fn.executable(cmd[1]) == 0 then
    local remedies = { 'Run `:Dovetail install`,', 'or set its command line in the option `cmd`.' }
    local checkout = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h:h:h')
    if vim.fn.filereadable(checkout .. '/pyproject.toml') == 1 then
      table.insert(remedies, 2, ('or install the server yourself: pip install %s,'):format(checkout))
    end
    vim.health.error(('`%s` is not a command'):format(cmd[1]), remedies)
    return false
  end
  local words = vim.tbl_filter(function(word)
    return word ~= 'serve'
  end, cmd)
  local started, process = pcall(vim.system, vim.list_extend(words, { '--version' }), { text = true })
  local finished = started and process:wait(WAITING)
  if finished and finished.code == 0 then
    vim.health.ok(('`%s` is %s'):format(table.concat(cmd, ' '), vim.trim(finished.stdout)))
  else
    vim.health.error(
      ('`%s` does not start: %s'):format(table.concat(cmd, ' '), vim.trim(finished and finished.stderr or process)),
      'Run it in a terminal. `dovetail doctor` says what is missing.'
    )
  end
  return finished ~= nil and finished.code == 0
end

--- Report an installed server of another version than the plugin's.
local function check_installation()
  local installed, source = environment.installed(), environment.source()
  if installed and source and installed ~= source.name then
    vim.health.warn(
      ('The installed server is %s, and this plugin belongs to %s'):format(installed, source.name),
      'Run `:Dovetail install`.'
    )
  end
end

--- Report the languages of open files that the model does not know.
---@param found vim.lsp.Client
local function check_languages(found)
  local told = {} -- sentence → true
  for bufnr in pairs(found.attached_buffers) do
    local done = false
    client.command(found, 'status', { vim.uri_from_bufnr(bufnr) }, function(result)
      done = true
      local sentence = status.without_mistakes(result)
      if result.other_model and sentence ~= '' and not told[sentence] then
        told[sentence] = true
        vim.health.warn(sentence, 'Run `:Dovetail complete` by hand, or `:Dovetail models` for other models.')
      end
    end, { quietly = true })
    vim.wait(WAITING, function()
      return done
    end, 10)
  end
end

---@param found vim.lsp.Client
local function check_client(found)
  local done, answer = false, nil
  client.command(found, 'status', {}, function(result)
    done, answer = true, result
  end)
  vim.wait(WAITING, function()
    return done
  end, 10)
  if not answer then
    vim.health.error('The server does not answer', 'See `:lua vim.cmd.edit(vim.lsp.get_log_path())`.')
    return
  end
  local message = status.without_mistakes(answer)
  if message ~= '' then
    local reports = { Error = vim.health.error, Warning = not answer.only_mistakes and vim.health.warn or nil }
    local report = reports[answer.kind] or vim.health.ok
    report(message)
  end
  for _, mistake in ipairs(answer.mistakes or {}) do
    vim.health.warn(mistake, 'Mend it in `settings` of `setup()`.')
  end
end

--- Report servers that should run and do not.
local function check_missing()
  local reported = {} -- sentence → true: several files may have lost the same server
  for _, bufnr in ipairs(client.unserved()) do
    local last = client.last_end(bufnr)
    local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':t')
    local sentence = last and restart.sentence(last) or ('No server serves `%s`'):format(name)
    if awaited.is_starting(bufnr) then
      sentence = ('The server of `%s` is starting'):format(name)
    end
    if not reported[sentence] then
      reported[sentence] = true
      local advice = {
        'Run `:Dovetail restart` in that file.',
        'See `:lua vim.cmd.edit(vim.lsp.get_log_path())` for the reason.',
      }
      if awaited.is_starting(bufnr) then
        vim.health.info(sentence)
      elseif last and last.seconds then
        vim.health.warn(sentence, advice[2])
      else
        vim.health.error(sentence, advice)
      end
    end
  end
end

local function check_colours()
  if not client.has_inline() or not colours.are_few() then
    return
  elseif colours.are_visible() then
    vim.health.ok('The screen has no 24-bit colours; the group `ComplHint` sets ghost text apart without them')
  else
    vim.health.warn(
      'The screen has no 24-bit colours, so ghost text looks like text',
      'Use `:set termguicolors` if the terminal knows them, or give the group `ComplHint` a look that you see.'
    )
  end
end

--- Report mistakes in the last call of setup(); return false if no call was taken.
---@return boolean
local function check_setup()
  local call = "Mend the call of `require('dovetail').setup()` in your configuration."
  if options.mistake and options.current then
    for _, mistake in ipairs(options.mistakes) do
      vim.health.warn(mistake .. ' The options before this call hold.', call)
    end
  elseif options.mistake then
    for _, mistake in ipairs(options.mistakes) do
      vim.health.error(mistake .. ' Dovetail is off.', call)
    end
  elseif not options.current then
    vim.health.error('Dovetail is not set up', "Call `require('dovetail').setup()` in your configuration.")
  end
  return options.current ~= nil
end

---@param words string[]
---@return string
local function sorted(words)
  table.sort(words)
  return table.concat(words, ', ')
end

local function check_keys()
  local keys = options.wanted_keys()
  if vim.tbl_isempty(keys) then
    vim.health.info('No keys are mapped. `keymaps = true` maps the proposed keys')
    return
  end
  local words, idle = {}, {}
  for action, key in pairs(keys) do
    local does = client.has_inline() or action == 'complete'
    table.insert(does and words or idle, ('%s %s'):format(key, action:gsub('_', ' ')))
  end
  if #words > 0 then
    vim.health.ok('Keys in insert mode: ' .. sorted(words))
  end
  if #idle > 0 then
    vim.health.info('These keys are for ghost text, so they are not mapped in this Neovim: ' .. sorted(idle))
  end
end

function M.check()
  vim.health.start('Dovetail')
  check_editor()
  if not check_setup() then
    return
  end
  local can_start = check_server(options.current.cmd)
  check_installation()
  local clients = client.all()
  if #clients == 0 and #client.unserved() == 0 then
    local filetypes = table.concat(options.current.filetypes, ', ')
    vim.health.info('No server runs. It starts with the first file of type ' .. filetypes)
  end
  for _, found in ipairs(clients) do
    check_client(found)
    check_languages(found)
  end
  if can_start then
    check_missing() -- otherwise a server is missing for the reason above
  end
  check_keys()
  check_colours()
end

return M
