--- The names of languages, for messages.

local M = {}

--- Names that are not the file type with a capital letter.
---@type table<string, string>
local NAMES = {
  cpp = 'C++',
  cs = 'C#',
  css = 'CSS',
  html = 'HTML',
  javascript = 'JavaScript',
  javascriptreact = 'JavaScript',
  json = 'JSON',
  jsonc = 'JSON with Comments',
  php = 'PHP',
  sh = 'shell scripts',
  sql = 'SQL',
  toml = 'TOML',
  typescript = 'TypeScript',
  typescriptreact = 'TypeScript',
  xml = 'XML',
  yaml = 'YAML',
}

--- Return the name of a file type's language: `JavaScript` for `javascript`.
---@param filetype string
---@return string
function M.name(filetype)
  if filetype == '' then
    return 'files without a file type'
  end
  return NAMES[filetype] or (filetype:sub(1, 1):upper() .. filetype:sub(2))
end

return M
