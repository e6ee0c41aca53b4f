--- A program that runs beside the editor: its lines are heard one by one, and it can be stopped.

local notice = require('dovetail.notice')

local M = {}

---@class dovetail.Task
---@field end_program fun()
---@field is_stopped boolean whether the user stopped it

--- Start a program. `hear` gets each line that it prints. `done` gets its exit code, the end of what it says of errors,
--- and whether the user stopped it.
---@param words string[]
---@param hear fun(line: string)
---@param done fun(code: integer, said: string, is_stopped: boolean)
---@return dovetail.Task
function M.start(words, hear, done)
  ---@type dovetail.Task
  local task = { is_stopped = false, end_program = function() end }
  local rest = ''
  local said = ''
  local function listen(_, piece)
    if not piece then
      return
    end
    rest = rest .. piece
    local lines = vim.split(rest, '\r?\n')
    rest = table.remove(lines)
    vim.schedule(function()
      vim.iter(lines):each(hear)
    end)
  end
  local function listen_to_errors(_, piece)
    said = (said .. (piece or '')):sub(-4000)
  end
  local function ended(finished)
    vim.schedule(function()
      done(finished.signal ~= 0 and 128 + finished.signal or finished.code, vim.trim(said), task.is_stopped)
    end)
  end
  -- Not in the project: programs read files of the folder in which they run.
  local options = { cwd = vim.fn.stdpath('data'), stdout = listen, stderr = listen_to_errors }
  local started, process = pcall(vim.system, words, options, ended)
  if started then
    task.end_program = function()
      process:kill('sigterm')
    end
  else
    vim.schedule(function()
      done(127, tostring(process), task.is_stopped)
    end)
  end
  return task
end

--- Stop a program that runs; without one, say so.
---@param task dovetail.Task?
---@param otherwise string the sentence for the user where nothing runs
function M.stop(task, otherwise)
  if task then
    task.is_stopped = true
    task.end_program()
  else
    notice.tell(otherwise)
  end
end

return M
