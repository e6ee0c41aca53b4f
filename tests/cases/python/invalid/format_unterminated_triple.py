x = f'''a'
