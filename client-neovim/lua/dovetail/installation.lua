--- The installation of the server: the question, the progress and the messages.

local consent = require('dovetail.consent')
local environment = require('dovetail.environment')
local notice = require('dovetail.notice')
local options = require('dovetail.options')
local python = require('dovetail.python')
local task = require('dovetail.task')

local M = {}

local EXPLANATION = 'Install the server into an environment of its own? '
local LIGHT = 'About 65 MB are downloaded; it takes 310 MB of disk space.'
local LARGE = 'On this system it needs PyTorch as well, which takes about 1.2 GB of disk space: install that too?'

local ENDING = 3000 -- milliseconds that running servers have to end

--- The program that runs, while there is an installation.
---@type dovetail.Task?
local running

--- Ask a question; call `agreed` if the answer is yes.
---@param question string
---@param agreed fun()
local function ask(question, agreed)
  if consent.given(question) then
    agreed()
  else
    notice.tell('Nothing was installed.')
  end
end

--- Return the file with the output of the last installation.
---@return string
local function log_path()
  return vim.fs.joinpath(vim.fn.stdpath('log'), 'dovetail-install.log')
end

--- Start the server that there is now.
local function resume()
  running = nil
  options.renew()
  if options.current and vim.fn.executable(options.current.cmd[1]) == 1 then
    require('dovetail.client').start(options.current)
  end
end

---@param complaint string
local function fail(complaint)
  resume()
  notice.warn(complaint)
end

--- Run the steps from one on, and start the server at the end.
---@param steps dovetail.Step[]
---@param source dovetail.Source
---@param number integer
local function perform(steps, source, number)
  local step = steps[number]
  if not step then
    environment.complete(source)
    resume()
    notice.tell(options.current and 'The server is installed.' or 'The server is installed. Call setup() to use it.')
    return
  end
  local text = ('%d of %d, %s'):format(number, #steps, step.says)
  notice.show_progress(text)
  local log = assert(io.open(log_path(), number == 1 and 'w' or 'a'))
  log:write('$ ' .. table.concat(step.words, ' ') .. '\n')
  running = task.start(step.words, function(line)
    log:write(line .. '\n')
    if line:find('^Installing collected packages') then
      notice.show_progress(('%d of %d, unpacking the packages, which takes up to a minute'):format(number, #steps))
    elseif line:find('^Collecting ') or line:find('^Downloading ') or line:find('^Installing ') then
      notice.show_progress(text .. '. ' .. line)
    end
  end, function(code, said, is_stopped)
    log:write(said .. '\n')
    log:close()
    if is_stopped then
      fail('the installation was stopped. `:Dovetail install` begins anew.')
    elseif code ~= 0 then
      fail(('the server could not be installed: %s failed. See %s.'):format(step.says, log_path()))
    else
      perform(steps, source, number + 1)
    end
  end)
end

--- Install the server after the user has agreed; what was installed before is replaced.
function M.install()
  if running then
    notice.tell('The server is being installed. `:Dovetail install stop` stops that.')
    return
  end
  local source = environment.source()
  if not source then
    notice.warn('this plugin contains no server: set its command line in the option `cmd`.')
    return
  end
  local found, complaint = python.find(options.current and options.current.python)
  if not found then
    notice.warn(complaint --[[@as string]])
    return
  end
  local function begin()
    if running then
      return -- two questions may be open at once
    end
    notice.show_progress('making room for the server')
    require('dovetail.client').stop_all(ENDING)
    environment.remove()
    perform(environment.steps(found, source), source, 1)
  end
  ask(EXPLANATION .. LIGHT, function()
    if environment.needs_torch() then
      ask(LARGE, begin)
    else
      begin()
    end
  end)
end

--- Stop the installation.
function M.stop()
  task.stop(running, 'No server is being installed.')
end

return M
