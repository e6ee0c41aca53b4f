raise
raise a
raise a from b
raise a() from None
