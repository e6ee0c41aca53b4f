--- Restarting a server that ended unexpectedly: after 1, 2, 4 and 8 seconds, then not any more.

local notice = require('dovetail.notice')

local M = {}

local PERIOD = 3 * 60 * 1000 -- milliseconds during which ends are counted
local TOO_MANY = 5 -- ends within the period after which the server is not restarted
local FIRST = 1000 -- milliseconds before the first restart
local MISTAKE = 2 -- exit code of a server that the user must configure correctly first
local TERMINATED = 15 -- the signal with which Neovim stops a server that does not end by itself

---@class dovetail.End
---@field reason string how the last server ended, such as "by signal 9"
---@field count integer unexpected ends within the last three minutes
---@field seconds? number delay of the restart; nil if the server is not restarted

--- What happened to the last server, by root folder ('' for none); absent while a server runs.
---@type table<string, dovetail.End>
local ends = {}

--- Root folders whose server the user has restarted, until another runs.
---@type table<string, true>
local asked = {}

---@type table<string, integer[]>
local times = {} -- times of the unexpected ends, in milliseconds, by root folder

---@type table<string, integer>
local turns = {} -- number of the newest plan by root folder: an older timer then does nothing

--- Return the delay in milliseconds before the next restart, or nil if the server is not to be restarted.
---@param moments integer[] times of the ends in milliseconds, ascending
---@return integer?
function M.delay_after(moments)
  local recent = 0
  for _, moment in ipairs(moments) do
    recent = recent + (moments[#moments] - moment < PERIOD and 1 or 0)
  end
  if recent >= TOO_MANY then
    return nil
  end
  return FIRST * 2 ^ (recent - 1)
end

---@param key string
---@return integer turn
local function next_turn(key)
  turns[key] = (turns[key] or 0) + 1
  return turns[key]
end

--- Plan the restart of a server that has ended; a server that was stopped on purpose stays stopped.
---@param root? string
---@param code integer
---@param signal integer
---@param start fun(root?: string) starts a server for the open files of a root folder
function M.ended(root, code, signal, start)
  local is_wanted = code == 0 and (signal == 0 or signal == TERMINATED)
  if is_wanted or vim.v.exiting ~= vim.NIL then
    return
  end
  local key = root or ''
  local turn = next_turn(key)
  asked[key] = nil
  times[key] = times[key] or {}
  table.insert(times[key], vim.uv.now())
  local reason = signal ~= 0 and ('by signal %d'):format(signal) or ('with exit code %d'):format(code)
  local delay = code ~= MISTAKE and M.delay_after(times[key]) or nil
  ends[key] = { reason = reason, count = #times[key], seconds = delay and delay / 1000 }
  if not delay then
    local how_often = code ~= MISTAKE and ('%d times, last '):format(#times[key]) or ''
    notice.warn(('the server ended %s%s. See `:checkhealth dovetail`.'):format(how_often, reason))
  else
    if #times[key] == 1 then
      notice.warn(('the server ended %s and is restarted.'):format(reason))
    end
    vim.defer_fn(function()
      if turns[key] == turn then
        start(root)
      end
    end, delay)
  end
end

--- Forget what happened to the servers of a root folder, and cancel a planned restart.
---@param root? string
function M.reset(root)
  local key = root or ''
  next_turn(key)
  times[key], ends[key] = nil, nil
end

--- Note that the user restarts the server of a root folder.
---@param root? string
function M.begun(root)
  asked[root or ''] = true
end

--- Return whether the user has restarted the server of a root folder, and none runs yet.
---@param root? string
---@return boolean
function M.is_asked(root)
  return asked[root or ''] or false
end

--- Note that a server runs for a root folder.
---@param root? string
function M.started(root)
  ends[root or ''], asked[root or ''] = nil, nil
end

--- Return what happened to the last server of a root folder; nil if it runs, was stopped on purpose, or never started.
---@param root? string
---@return dovetail.End?
function M.last_end(root)
  return ends[root or '']
end

--- Return a sentence about a server that ended unexpectedly.
---@param last dovetail.End
---@return string
function M.sentence(last)
  if last.seconds then
    return ('The server ended %s. It is restarted after %d s.'):format(last.reason, last.seconds)
  end
  return ('The server ended %s. `:Dovetail restart` starts it.'):format(last.reason)
end

return M
