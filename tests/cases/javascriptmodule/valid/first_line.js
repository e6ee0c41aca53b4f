#!/usr/bin/env node
import "./run.js";
