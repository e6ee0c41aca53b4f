-- The command exists before setup(), so that `:Dovetail` can say what to do.
vim.api.nvim_create_user_command('Dovetail', function(command)
  require('dovetail.commands').run(command.fargs)
end, {
  nargs = '*',
  desc = 'Show and change the state of Dovetail',
  complete = function(...)
    return require('dovetail.commands').complete(...)
  end,
})
