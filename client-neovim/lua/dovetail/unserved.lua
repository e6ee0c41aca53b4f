--- Buffers that no server serves: why none could, and the key that asks for ghost text there.

local languages = require('dovetail.languages')
local options = require('dovetail.options')

local M = {}

--- Return a sentence that says why no server could serve the current buffer, or nil if one could.
---@return string?
function M.reason()
  if not options.current and options.mistake then
    local between = #options.mistakes > 1 and '\n' or ' '
    return options.mistake .. between .. 'Until the call of setup() is mended, Dovetail is off.'
  elseif not options.current then
    return 'Dovetail is not set up. Call require("dovetail").setup().'
  end
  local filetype = vim.bo.filetype
  if vim.tbl_contains(options.current.filetypes, filetype) then
    return vim.bo.buftype ~= '' and 'Dovetail completes files only.' or nil
  elseif vim.tbl_contains(options.defaults.filetypes, filetype) then
    return ('Dovetail is off for %s. See the option `filetypes`.'):format(languages.name(filetype))
  end
  return ('Dovetail has no grammar for %s.'):format(languages.name(filetype))
end

--- Let the key that asks for ghost text say why there is none, in each file without a server that the user types in;
--- where one is still starting, what was asked for is remembered until it serves the file.
---@param group integer
function M.follow(group)
  vim.api.nvim_create_autocmd('InsertEnter', {
    group = group,
    callback = function(event)
      if vim.bo[event.buf].buftype == '' then
        require('dovetail.keys').leave_unserved(event.buf)
      end
    end,
  })
end

return M
