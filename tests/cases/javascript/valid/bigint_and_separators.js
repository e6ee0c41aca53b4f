x = 1_000.5e-3 + 10n * 0xff_ffn
