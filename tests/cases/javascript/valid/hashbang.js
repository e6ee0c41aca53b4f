#!/usr/bin/env node
a
