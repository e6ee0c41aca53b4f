"""A page in the browser that shows the engine at work, and the server of that page, on this machine alone."""
