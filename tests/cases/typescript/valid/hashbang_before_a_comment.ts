#!/usr/bin/env node
// node
run();
