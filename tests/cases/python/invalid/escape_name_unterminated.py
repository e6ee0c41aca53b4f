x = '\N{EN DASH'
