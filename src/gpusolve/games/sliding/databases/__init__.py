"""Pattern databases: partitions of the tiles, building the databases, and reading them on a device."""
