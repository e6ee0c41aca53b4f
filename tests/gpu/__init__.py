"""What can only be seen on a CUDA device."""
