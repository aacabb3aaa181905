"""What the campaigns share: the program, a server of it, and a client that speaks its HTTP calls."""
