for (;;) break throw
