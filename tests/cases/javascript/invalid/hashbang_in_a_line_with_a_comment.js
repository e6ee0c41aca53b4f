/* node */#!
