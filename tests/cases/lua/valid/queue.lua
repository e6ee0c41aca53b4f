local Queue = {}
Queue.__index = Queue

function Queue.new(limit)
  return setmetatable({items = {}, limit = limit or 10}, Queue)
end

function Queue:push(item)
  if #self.items >= self.limit then
    return nil, "full"
  elseif item == nil then
    error("nothing")
  else
    table.insert(self.items, item)
  end
  return true
end

function Queue:each(visit)
  for place, item in ipairs(self.items) do
    while item.next do
      item = item.next
    end
    if visit(item, place) then
      break
    end
  end
end

local function drain(queue)
  local count = 0
  repeat
    local item = table.remove(queue.items, 1)
    count = count + 1
  until item == nil
  do
    local left = #queue.items
    print(left)
  end
  return count
end

local queue = Queue.new(3)
queue:each(function(item)
  if item then
    print(item)
  end
end)

return { Queue = Queue, drain = drain }
