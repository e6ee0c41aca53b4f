--[[ ]]#!/usr/bin/env lua
print(1)
