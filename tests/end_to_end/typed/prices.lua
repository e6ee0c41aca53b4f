local prices = {}

-- Returns the sum of some prices with the tax.
function prices.total(list, rate)
  local subtotal = 0
  for _, price in ipairs(list) do
    subtotal = subtotal + price
  end
  return subtotal * (1 + rate)
end

-- Prints each price on a line of its own.
function prices.show(list)
  for place, price in ipairs(list) do
    print(("%d: %.2f"):format(place, price))
  end
end

return prices
