"""Parsers of JavaScript, TypeScript and JSON with comments, as workers."""
