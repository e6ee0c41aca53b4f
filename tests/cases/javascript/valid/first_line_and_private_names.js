#!/usr/bin/env node
class Box {
  /* held */#held = 1;
  #full;
}
