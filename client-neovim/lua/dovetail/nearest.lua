--- The word of a list that is likeliest meant by a mistyped one.

local M = {}

--- Return the number of letters to put in, take out or replace that make one word the other.
---@param one string
---@param other string
---@return integer
local function distance(one, other)
  local row = {} -- the distances of the beginnings of `other` from a beginning of `one`
  for column = 0, #other do
    row[column] = column
  end
  for line = 1, #one do
    local before = { [0] = line }
    for column = 1, #other do
      local replaced = row[column - 1] + (one:byte(line) == other:byte(column) and 0 or 1)
      before[column] = math.min(replaced, row[column] + 1, before[column - 1] + 1)
    end
    row = before
  end
  return row[#other]
end

--- Return the known word nearest to a word, or nil if none is near.
---@param word string
---@param known string[]
---@return string?
function M.to(word, known)
  local found, least = nil, math.max(2, #word / 3)
  for _, name in ipairs(known) do
    local changes = distance(word:lower(), name)
    if changes < least or (changes == least and not found) then
      found, least = name, changes
    end
  end
  return found
end

return M
