--- The list of models: choosing one, downloading it, removing it, and trying how fast it is.

local missing = require('dovetail.missing')
local notice = require('dovetail.notice')
local options = require('dovetail.options')
local task = require('dovetail.task')

local M = {}

local EMBEDDED = 'embedded'

--- The download that runs.
---@type dovetail.Task?
local running

--- Return the command line of `dovetail models`; nil, and a message, without one.
---@param ... string
---@return string[]?
local function command(...)
  local words = {}
  for _, word in ipairs(options.current and options.current.cmd or {}) do
    if word == 'serve' then
      local reason = missing.reason()
      if reason then
        notice.warn(reason)
        return nil
      end
      return vim.list_extend(words, { 'models', ... })
    end
    table.insert(words, word)
  end
  notice.warn('the models are listed by the server: set it up, or install it with `:Dovetail install`.')
  return nil
end

--- Return a size as people read it.
---@param bytes number
---@return string
local function size(bytes)
  return bytes < 1e8 and ('%.0f MB'):format(bytes / 1e6) or ('%.1f GB'):format(bytes / 1e9)
end

--- Run `dovetail models` to its end; call `answer` with what it printed, or show what it complained of.
---@param words string[]?
---@param answer fun(text: string)
local function ask(words, answer)
  if not words then
    return
  end
  local lines = {}
  task.start(words, function(line)
    table.insert(lines, line)
  end, function(code, said)
    if code == 0 then
      answer(table.concat(lines, '\n'))
    else
      notice.warn(said ~= '' and said or ('`%s` ended with %d.'):format(table.concat(words, ' '), code))
    end
  end)
end

--- Return the line of a list for a model.
---@param model table
---@return string
local function line_of(model)
  if model.name == EMBEDDED then
    return 'embedded: the model that comes with Dovetail, small'
  end
  local presence = model.path ~= vim.NIL and 'on this machine' or size(model.gigabytes * 1e9) .. ' to download'
  local parts = { presence, model.fit_words, model.licence, model.reason }
  if model.speed ~= vim.NIL then
    table.insert(parts, 2, ('%.0f tokens a second here'):format(model.speed.text))
  end
  return ('%s: %s'):format(model.name, table.concat(parts, ', '))
end

--- Load a model in the running server, and say how to keep it.
---@param name string
local function use(name)
  require('dovetail.commands').run({ 'model', name })
end

--- Download a model and load it.
---@param name string
function M.get(name)
  if running then
    notice.tell('A model is being downloaded. `:Dovetail models stop` stops that.')
    return
  end
  local words = command('get', name, '--json')
  if not words then
    return
  end
  running = task.start(words, function(line)
    local read, step = pcall(vim.json.decode, line)
    if read and step.received then
      notice.show_progress(('%s, %s of %s'):format(name, size(step.received), size(step.size)))
    end
  end, function(code, said, is_stopped)
    running = nil
    if is_stopped then
      notice.tell('The download was stopped. `:Dovetail models get` goes on from there.')
    elseif code ~= 0 then
      notice.warn(said ~= '' and said or ('%s could not be downloaded.'):format(name))
    else
      notice.tell(("%s is on this machine. To keep it: settings = { model = '%s' }."):format(name, name))
      use(name)
    end
  end)
end

--- Stop the download; what has arrived is kept.
function M.stop()
  task.stop(running, 'No model is being downloaded.')
end

--- Remove what was downloaded of a model.
---@param name string
function M.remove(name)
  ask(command('remove', name), notice.tell)
end

--- Measure how fast a model is on this machine.
---@param name string
function M.try(name)
  notice.show_progress(('%s is tried, for ten seconds at most.'):format(name))
  ask(command('--try', name), notice.tell)
end

--- Let the user choose a model of the list.
function M.choose()
  ask(command('--json'), function(text)
    local read, list = pcall(vim.json.decode, text)
    if not read or type(list.models) ~= 'table' then
      notice.warn('the list of models could not be read: `:Dovetail install` installs a server that has one.')
      return
    end
    local choices = vim.list_extend({ { name = EMBEDDED } }, list.models)
    vim.ui.select(choices, { prompt = 'Dovetail: choose a model', format_item = line_of }, function(model)
      if not model then
        return
      elseif model.name == EMBEDDED or model.path ~= vim.NIL then
        use(model.name)
        return
      end
      local question = ('download %s (%s, licence %s)?'):format(model.title, size(model.gigabytes * 1e9), model.licence)
      if require('dovetail.consent').given(question) then
        M.get(model.name)
      end
    end)
  end)
end

--- Run `:Dovetail models` with its arguments.
---@param words string[]
function M.run(words)
  local action, name = words[1], words[2]
  if not action then
    M.choose()
  elseif action == 'stop' then
    M.stop()
  elseif (action == 'get' or action == 'remove' or action == 'try') and name then
    M[action](name)
  else
    notice.warn('`:Dovetail models` takes get, remove or try and a name, or stop, or nothing.')
  end
end

return M
