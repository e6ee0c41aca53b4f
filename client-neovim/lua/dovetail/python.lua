--- The Python that creates the server's environment.

local M = {}

local NAMES = { 'python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11' }
local ASK = 'import ensurepip, sys, venv; print(sys.version_info >= (3, 11))' -- Debian has a Python without `ensurepip`
local WAITING = 20000 -- milliseconds; reading Python from a cold disk takes long

--- Return a Python that is recent enough and can create environments; else nil and a sentence with the remedy.
---@param chosen? string the only one to try
---@return string? python
---@return string? complaint
function M.find(chosen)
  local complaint
  for _, name in ipairs(chosen and { chosen } or NAMES) do
    local program = vim.fn.exepath(name)
    if program ~= '' then
      local started, process = pcall(vim.system, { program, '-I', '-c', ASK }, { text = true })
      local finished = started and process:wait(WAITING)
      if finished and finished.code == 0 and vim.trim(finished.stdout) == 'True' then
        return program
      elseif finished and finished.stderr:find('ensurepip') then
        complaint = complaint or ('%s cannot create environments: install the package python3-venv.'):format(program)
      else
        complaint = complaint or ('%s is no Python 3.11 or later: name one in the option `python`.'):format(program)
      end
    end
  end
  return nil,
    complaint
      or ('there is no %s: install Python 3.11 or later, or name it in the option `python`.'):format(chosen or 'Python')
end

return M
