;#!/usr/bin/env node
