--- Messages for the user: one line that fits, so that Neovim never stops at "Press ENTER", and details in a float.

local M = {}

local MAX_WIDTH = 76 -- columns of the float

local latest = '' -- the last text that was shown, without the name

local shown = nil ---@type integer? the window of the last text in a float

--- Cut a text so that it fits on the command line.
---@param text string
---@param width integer in screen columns
---@return string
local function cut(text, width)
  if vim.fn.strdisplaywidth(text) <= width then
    return text
  end
  local count = vim.fn.strchars(text)
  while count > 0 and vim.fn.strdisplaywidth(vim.fn.strcharpart(text, 0, count)) >= width do
    count = count - 1
  end
  return vim.fn.strcharpart(text, 0, count) .. '…'
end

--- Break the lines of a text at blanks. Neovim itself breaks them at a colon too, as that of `:Dovetail`.
---@param text string
---@param width integer in screen columns
---@return string[]
local function wrapped(text, width)
  local lines = {}
  for _, whole in ipairs(vim.split(text, '\n')) do
    local line = nil
    for _, word in ipairs(vim.split(whole, ' ')) do
      local longer = line and line .. ' ' .. word or word
      if line and vim.fn.strdisplaywidth(longer) > width then
        table.insert(lines, line)
        longer = word
      end
      line = longer
    end
    table.insert(lines, line)
  end
  return lines
end

--- Show a text in a floating window, which closes when the cursor moves.
---@param text string
local function float(text)
  local width = math.min(MAX_WIDTH, vim.o.columns - 4)
  local _, window = vim.lsp.util.open_floating_preview(wrapped(text, width), 'plaintext', {
    border = 'rounded',
    focus = false,
    max_width = width,
    title = 'Dovetail',
    wrap = true,
  })
  shown = window
end

--- Close the float of the text before: another answer stands for it now.
function M.close()
  if shown and vim.api.nvim_win_is_valid(shown) then
    vim.api.nvim_win_close(shown, true)
  end
  shown = nil
end

--- Return whether Neovim writes `-- INSERT --` over a line that is shown now.
---@return boolean
local function is_written_over()
  return vim.o.showmode and vim.api.nvim_get_mode().mode:find('^i') ~= nil
end

--- Show a text: all of it on the command line if it fits and stays there, else its first sentence there and all in a
--- float.
---@param text string
---@param level integer
local function show(text, level)
  local room = math.max(vim.v.echospace, 10)
  local fits = not text:find('\n') and vim.fn.strdisplaywidth(text) <= room
  local line = fits and text or cut((text:match('^(.-[.!?])%s') or text):gsub('\n', ' '), room)
  vim.notify(line, level, { title = 'Dovetail' })
  vim.schedule(M.close)
  if not fits or is_written_over() then
    -- A start-up file may run before there is a window to draw in.
    vim.schedule(function()
      float(text)
    end)
  end
end

--- Show how far something is: one line that the next one replaces, and that no history keeps.
---@param text string
function M.show_progress(text)
  local line = cut('Dovetail: ' .. text, math.max(vim.v.echospace, 10))
  vim.api.nvim_echo({ { line } }, false, {})
  vim.cmd.redraw()
end

--- Return the text that was shown last.
---@return string
function M.latest()
  return latest
end

--- Show an answer that the user asked for.
---@param text string
function M.tell(text)
  latest = text
  show(text, vim.log.levels.INFO)
end

--- Show a warning.
---@param text string
function M.warn(text)
  latest = text
  show('Dovetail: ' .. text, vim.log.levels.WARN)
end

return M
