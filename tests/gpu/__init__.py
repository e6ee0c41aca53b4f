"""Tests and measurements that need a CUDA device."""
