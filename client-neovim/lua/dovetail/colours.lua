--- The look of ghost text in terminals without 24-bit colours.
---
--- Neovim links its highlight group to one that has such a colour and nothing else, so there ghost text would look
--- exactly like the text of the file.

local M = {}

local GROUPS = { 'ComplHint', 'ComplHintMore', 'DovetailLeftOut' }

--- Attributes for terminals: grey, and italic where grey is shown as black or as the text's own colour.
local FAINT = { ctermfg = 8, cterm = { italic = true } }

--- Return a highlight group as it is drawn, with the links followed.
---@param name string
---@return vim.api.keyset.get_hl_info
local function drawn(name)
  return vim.api.nvim_get_hl(0, { name = name, link = false })
end

--- Whether a group looks like the text of the file in a terminal without 24-bit colours.
---@param group vim.api.keyset.get_hl_info
---@return boolean
local function is_plain(group)
  return not group.ctermfg and not group.ctermbg and vim.tbl_isempty(group.cterm or {})
end

--- Make the groups faint that are plain; a group that the user or a colour scheme made visible stays.
local function make_visible()
  for _, name in ipairs(GROUPS) do
    local group = drawn(name)
    if is_plain(group) then
      vim.api.nvim_set_hl(0, name, vim.tbl_extend('force', group, FAINT) --[[@as vim.api.keyset.highlight]])
    end
  end
end

--- Make ghost text visible now, and again after each change of the colour scheme.
---@param group integer
function M.follow(group)
  make_visible()
  vim.api.nvim_create_autocmd('ColorScheme', { group = group, callback = make_visible })
end

--- Whether ghost text is told from the text of the file without 24-bit colours.
---@return boolean
function M.are_visible()
  return not is_plain(drawn(GROUPS[1]))
end

--- Whether the screen is a terminal without 24-bit colours.
---@return boolean
function M.are_few()
  return vim.iter(vim.api.nvim_list_uis()):any(function(screen)
    return not screen.rgb
  end)
end

return M
