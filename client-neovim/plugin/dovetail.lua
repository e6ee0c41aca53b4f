-- The one command is there from the start, so that `:Dovetail` says what to do where nothing was set up.
vim.api.nvim_create_user_command('Dovetail', function(command)
  require('dovetail.commands').run(command.fargs)
end, {
  nargs = '*',
  desc = 'Status and switches of the completions that fit both sides',
  complete = function(...)
    return require('dovetail.commands').complete(...)
  end,
})
