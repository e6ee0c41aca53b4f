"""What always holds, at random places."""
