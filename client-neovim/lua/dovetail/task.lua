--- A program that runs beside the editor: its lines are heard one by one, and it can be stopped.

local M = {}

---@class dovetail.Task
---@field stop fun() end the program

--- Start a program. `hear` gets each line that it prints, `done` its exit code and the end of what it says of errors.
---@param words string[]
---@param hear fun(line: string)
---@param done fun(code: integer, said: string)
---@return dovetail.Task
function M.start(words, hear, done)
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
      done(finished.signal ~= 0 and 128 + finished.signal or finished.code, vim.trim(said))
    end)
  end
  -- Not in the project: programs read files of the folder in which they run.
  local options = { cwd = vim.fn.stdpath('data'), stdout = listen, stderr = listen_to_errors }
  local started, process = pcall(vim.system, words, options, ended)
  if not started then
    vim.schedule(function()
      done(127, tostring(process))
    end)
    return { stop = function() end }
  end
  return {
    stop = function()
      process:kill('sigterm')
    end,
  }
end

return M
