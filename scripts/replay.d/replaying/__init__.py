"""Records what a server answers to a fixed list of requests, and compares two such recordings."""
