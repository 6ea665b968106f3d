"""What tests of kernels need where there is no GPU, for games of ours and of others. See `plugin`."""
