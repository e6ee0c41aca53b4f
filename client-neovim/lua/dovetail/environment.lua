--- The server's own Python environment, in Neovim's data folder: what is in it, and the steps that make it.

local M = {}

local MARK = 'dovetail.json' -- written last; holds the name of the installed package

--- Whether the server needs PyTorch even for its own model: there is no llama.cpp for the system.
---@return boolean
function M.needs_torch()
  local system = vim.uv.os_uname()
  return system.sysname:find('Windows') ~= nil or (system.sysname == 'Darwin' and system.machine == 'x86_64')
end

---@return string
function M.folder()
  return vim.fs.joinpath(vim.fn.stdpath('data'), 'dovetail', 'environment')
end

--- Return the environment's Python.
---@return string
function M.python()
  local windows = vim.uv.os_uname().sysname:find('Windows') ~= nil
  return vim.fs.joinpath(M.folder(), windows and 'Scripts/python.exe' or 'bin/python')
end

--- Return the name of the installed package; nil without a complete installation.
---@return string?
function M.installed()
  local file = io.open(vim.fs.joinpath(M.folder(), MARK))
  if not file then
    return nil
  end
  local text = file:read('*a')
  file:close()
  local read, mark = pcall(vim.json.decode, text)
  local holds = read and type(mark) == 'table' and type(mark.package) == 'string'
  return holds and vim.fn.executable(M.python()) == 1 and mark.package or nil
end

--- Return the command line that starts the installed server; nil if there is none.
---@return string[]?
function M.command()
  return M.installed() and { M.python(), '-I', '-m', 'dovetail', 'serve' } or nil
end

---@class dovetail.Source
---@field path string what pip installs
---@field name string what the installation is called
---@field constraints string the file with the versions that were tested

--- Return what the server is installed from: the wheel in this plugin, or else the checkout around it.
---
--- A package name is never used: anybody could register that name in a package index.
---@return dovetail.Source?
function M.source()
  local plugin = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h:h')
  local wheels = vim.fn.glob(plugin .. '/server/dovetail-*.whl', true, true)
  if #wheels > 0 then
    table.sort(wheels)
    local wheel = wheels[#wheels]
    return { path = wheel, name = vim.fs.basename(wheel), constraints = plugin .. '/server/constraints.txt' }
  end
  local checkout = vim.fs.dirname(plugin)
  if vim.uv.fs_stat(checkout .. '/server/dovetail/__main__.py') then
    return { path = checkout, name = 'checkout', constraints = checkout .. '/server/constraints.txt' }
  end
  return nil
end

---@class dovetail.Step
---@field says string what is shown while it runs
---@field words string[] the command line

--- Return the steps of an installation, in order.
---@param python string the Python that creates the environment
---@param source dovetail.Source
---@return dovetail.Step[]
function M.steps(python, source)
  local pip = { M.python(), '-I', '-m', 'pip', 'install', '--disable-pip-version-check', '--no-input' }
  -- To compile everything takes four seconds; Python does it with each module that is imported at all.
  vim.list_extend(pip, { '--progress-bar', 'off', '--no-compile' })
  vim.list_extend(pip, { '--constraint', source.constraints, source.path })
  return {
    { says = 'creating an environment', words = { python, '-I', '-m', 'venv', M.folder() } },
    { says = 'downloading the packages', words = pip },
    { says = 'testing the server', words = { M.python(), '-I', '-m', 'dovetail', '--version' } },
  }
end

--- Remove the environment, so that another can take its place.
function M.remove()
  vim.fn.delete(M.folder(), 'rf')
  vim.fn.mkdir(vim.fs.dirname(M.folder()), 'p')
end

--- Write down that the installation is complete.
---@param source dovetail.Source
function M.complete(source)
  vim.fn.writefile({ vim.json.encode({ package = source.name }) }, vim.fs.joinpath(M.folder(), MARK))
end

return M
